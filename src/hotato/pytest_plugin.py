"""The pytest plugin: a fixture that scores, a gate after the session, contracts as test items."""
