export { type ConnectorDeps, connectorHandlers } from './handlers.ts';
export { type Connectors, openConnectors } from './open.ts';
