"""Two sets of scored events side by side: one taxonomy of what moved, for every command that compares."""
