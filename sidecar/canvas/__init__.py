"""JSON Canvas: model, codec, checks and placement, without a vault."""
