"""`python -m skillui`: the same as the `skillui` command."""

import sys

from skillui.cli import main

sys.exit(main())
