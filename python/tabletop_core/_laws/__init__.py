"""The laws behind `tabletop_core.testing`, one file for each kind."""
