"""Files that a repository needs to run hotato: the starter kit, CI configurations, notes for agents."""
