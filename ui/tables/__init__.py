"""Tables of metrics and stages."""
