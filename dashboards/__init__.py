"""Figures and reports: from stored records to plain Plotly dictionaries, tables, words and one HTML file."""
