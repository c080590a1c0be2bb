"""What panes show, as plain values: read and worked out away from the screen."""
