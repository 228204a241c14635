export { type ConnectorDeps, connectorHandlers, openConnectors } from './handlers.ts';
