export { ensureTenant, ensureTenants, findTenantName } from './ensure-tenant.ts';
export { loadRegister, type TokenHolder, type TokenRegister, TokenReloader } from './token-register.ts';
export type { ConfiguredToken } from './tokens.ts';
export { defaultTenant, isAuthenticationOn, loadTokens } from './tokens.ts';
