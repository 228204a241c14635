export type { ConfiguredToken } from './configured-token.ts';
export { ensureTenant, ensureTenants } from './ensure-tenant.ts';
export { findTenantName } from './find-tenant-name.ts';
export { loadRegister, type TokenHolder, type TokenRegister } from './token-register.ts';
export { TokenReloader } from './token-reloader.ts';
export { defaultTenant, isAuthenticationOn, loadTokens } from './tokens.ts';
