export { scopeNotFound } from './descriptor.ts';
export { findScopeKey, requireScopeKey, scopeForWrite } from './first-write.ts';
export { type ScopeDeps, scopeHandlers } from './handlers.ts';
export { type IdempotentWrite, writeOnce } from './idempotency.ts';
export { requireScopes } from './require-scopes.ts';
export { scopeKey } from './scope-key.ts';
export { resolveSelection, type SelectedScope } from './selection.ts';
