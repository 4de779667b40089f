"""The product: add, retrieve, status, over any store."""
