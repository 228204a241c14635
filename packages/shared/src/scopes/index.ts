export { ensureScope, findScopeKey, requireScopeKey, requireScopes, scopeKey } from './find-scope.ts';
export { type ScopeDeps, scopeHandlers } from './handlers.ts';
export { resolveSelection } from './selection.ts';
