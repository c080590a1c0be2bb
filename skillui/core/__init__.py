"""The engine: one skill on disk and one session, without a screen."""
