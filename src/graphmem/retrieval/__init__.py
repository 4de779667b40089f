"""From a query and a view to turns in final order. Pure functions."""
