"""The panes of the Browse mode; each shows one aspect of the selected skill."""
