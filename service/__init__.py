"""What users touch: settings, the command line `predinet-prolog`, and the HTTP service."""
