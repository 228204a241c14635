export { mcpRoute, serveMcp } from './serve-mcp.ts';
