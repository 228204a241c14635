export { findScopeKey, scopeForWrite } from './first-write.ts';
export { type IdempotentWrite, writeOnce } from './idempotency.ts';
