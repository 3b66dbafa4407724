"""Programs of others that speak MCP, each let loose on our server."""
