export { ensureTenant } from './ensure-tenant.ts';
export { defaultTenant, loadTokenHashes, TokenRegister } from './tokens.ts';
