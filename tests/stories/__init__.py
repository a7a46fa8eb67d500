"""Stories: what a user does with the console and sees, with a real service process."""
