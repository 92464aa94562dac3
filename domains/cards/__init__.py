"""Cards of the game SET on a table: 81 cards of four attributes with three values each."""
