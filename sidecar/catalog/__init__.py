"""What is known of every file: SQLite for the facts, a snapshot for names and resolution."""
