// Loads the MCP SDK, which takes 20 MB of memory. A gateway imports this module at its first MCP request.
export { exchange } from './exchange.ts';
export { createMcpServer } from './server.ts';
