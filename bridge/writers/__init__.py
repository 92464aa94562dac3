"""Writers: programs as Prolog text, as JSON, and those of many images as a table."""
