"""The MCP tools: one file a tool, file name = tool name = function name."""
