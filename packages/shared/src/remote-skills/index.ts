export type { RemoteSkillDeps } from './deps.ts';
export { type CredentialHolder, expireCodes, findCredentialHolder } from './enroll.ts';
export { remoteSkillHandlers } from './handlers.ts';
export { runReconcile } from './reconcile/run.ts';
