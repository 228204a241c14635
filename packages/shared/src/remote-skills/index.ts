export type { RemoteSkillDeps } from './deps.ts';
export { expireCodes } from './expire-codes.ts';
export { type CredentialHolder, findCredentialHolder } from './find-credential.ts';
export { remoteSkillHandlers } from './handlers.ts';
export { runReconcile } from './reconcile/run.ts';
