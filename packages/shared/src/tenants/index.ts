export { type DirectoryServer, TenantDirectory } from './directory.ts';
export { ensurePlacedTenants, ensureTenant, ensureTenants, findTenantName } from './ensure-tenant.ts';
export {
  loadPlacedRegister,
  loadRegister,
  type SealedToken,
  sealToken,
  type TokenHolder,
  TokenRegister,
  TokenReloader,
  tenantNamesOf,
} from './token-register.ts';
export type { ConfiguredToken } from './tokens.ts';
export { defaultTenant, isAuthenticationOn, loadTokens } from './tokens.ts';
