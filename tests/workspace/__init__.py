"""What the console works on, against the real service in this process, or a scripted one where length matters."""
