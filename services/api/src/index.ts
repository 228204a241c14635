export { type Gateway, startGateway } from './gateway.ts';
