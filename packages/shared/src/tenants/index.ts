export { TenantDirectory } from './directory.ts';
export type { DirectoryServer } from './directory-server.ts';
export {
  ensurePlacedTenants,
  ensureTenant,
  ensureTenants,
  findTenantName,
  type PlacedTenant,
} from './ensure-tenant.ts';
export { cleanServers } from './move/clean-servers.ts';
export { MoveRefusedError } from './move/refused-error.ts';
export { runMove } from './move/run-move.ts';
export type { MoveAddress } from './move/run-servers.ts';
export { nameServer } from './move/session.ts';
export { leftMs, MoveWatch, watchMovesMs } from './move-watch.ts';
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
