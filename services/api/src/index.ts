export { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
export { requestIdHeader } from './http/request-id.ts';
