"""Pictures of what was seen: the scene, a proof in it, what a model's relations tell."""
