export { ensureScope } from './ensure-scope.ts';
export { type ScopeDeps, scopeHandlers } from './handlers.ts';
export { requireScopes } from './require-scopes.ts';
export { findScopeKey, requireScopeKey, scopeKey } from './scope-key.ts';
export { resolveSelection } from './selection.ts';
