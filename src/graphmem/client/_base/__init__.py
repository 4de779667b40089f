"""What both colours of the client share; nothing here opens a connection or waits."""
