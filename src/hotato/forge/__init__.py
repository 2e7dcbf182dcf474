"""Hand a decision to people: an issue or a pull request, prepared here, sent only when told to."""
