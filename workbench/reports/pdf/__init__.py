"""The PDF: fonts, pen, page furniture, tables, charts and one module for each kind of page. Loaded only when one is written."""
