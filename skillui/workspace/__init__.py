"""Where skillui runs: the project, the user's configuration, the folders for state, the samples."""
