export type { ConfiguredToken } from './configured-token.ts';
export { ensureTenant } from './ensure-tenant.ts';
export { findTenantName } from './find-tenant-name.ts';
export { type TokenHolder, TokenRegister } from './token-register.ts';
export { TokenReloader } from './token-reloader.ts';
export { defaultTenant, isAuthenticationOn, loadTokens } from './tokens.ts';
