"""Pictures of any size: things are found, each is looked at in a glimpse, and all pairs are compared."""
