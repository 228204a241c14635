export { requestIdHeader } from './app.ts';
export { type Gateway, startGateway } from './gateway.ts';
