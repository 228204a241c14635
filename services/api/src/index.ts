export { type Gateway, startGateway } from './gateway.ts';
export { requestIdHeader } from './http/observe-requests.ts';
