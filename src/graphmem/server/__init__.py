"""The HTTP server: wire to domain and back, authentication, limits, errors."""
