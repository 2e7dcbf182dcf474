"""Pin a moment: a labelled moment of a call as a portable bundle that any machine re-verifies."""
