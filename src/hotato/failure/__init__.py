"""Failure records: what failed, in shapes that may be shown to anybody."""
