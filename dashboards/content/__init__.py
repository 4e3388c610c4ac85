"""Words and tables of reports and pages, made from stored records by pure functions."""
