"""Charts of the pages, each fed with frozen values."""
