export { type ConnectorDeps, connectorHandlers } from './handlers.ts';
export { openConnectors } from './open.ts';
