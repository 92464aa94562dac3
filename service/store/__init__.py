"""What is kept: programs in folders, knowledge bases, and scenes in SQLite."""
