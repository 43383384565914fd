"""One file per page or panel; they meet in the workspace, never in each other."""
