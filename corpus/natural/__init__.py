"""Natural speech with exact truth: voices, an utterance bank, calls made of scenes, spoiled lines."""

from natural.calls import FAMILIES, SPLITS, TruthCall, generate
from natural.conditions import CONDITIONS, NOTES_MIX, apply

__all__ = ["CONDITIONS", "FAMILIES", "NOTES_MIX", "SPLITS", "TruthCall", "apply", "generate"]
