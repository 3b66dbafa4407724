"""What the product can do, in the domain's words; each result is a frozen value."""
