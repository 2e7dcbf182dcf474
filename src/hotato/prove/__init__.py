"""The last gate: every lane of evidence composed into one fail-closed verdict on a release."""
