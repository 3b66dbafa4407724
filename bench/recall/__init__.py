"""How well and how fast memories are recalled."""
