export { systemOperations } from './contract.ts';
