"""What the service tells of a scene, without the service."""
