export { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
