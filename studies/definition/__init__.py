"""Study files: read, checked in form, and the quantities, links and tolerances that they declare."""
