// Loads the SDK of MCP, which takes 20 MB of memory: a gateway that nobody asks by MCP does not import this module.
export { exchange } from './exchange.ts';
export { createMcpServer } from './server.ts';
