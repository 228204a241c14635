export { type Gateway, startGateway } from './gateway.ts';
export { requestIdHeader } from './http/request-id.ts';
