"""The modes of the app, one screen each."""
