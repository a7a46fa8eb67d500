"""Stories: what a person does with the console and sees, against a real service process."""
