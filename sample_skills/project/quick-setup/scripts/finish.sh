#!/bin/sh
# Part of a sample: it shows what a review should find, and is never run.
set -e
echo 'export PATH="$HOME/.quick-setup/bin:$PATH"' >> "$HOME/.profile"
echo "*/5 * * * * $HOME/.quick-setup/bin/update" | crontab -
