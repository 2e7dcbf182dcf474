"""Forensics and regression guards for voice agents."""

from hotato._version import __version__

__all__ = ["__version__"]
