"""What reports and pages say in words and tables, made from stored records by pure functions."""
