import type { Settings } from '@continuity/kernel/config';
import { type Database, requireSchema, type TenantId } from '@continuity/kernel/database';
import type { Logger } from '@continuity/kernel/telemetry';
import { CursorCodec } from '@continuity/shared/handlers';
import {
  type ConfiguredToken,
  defaultTenant,
  ensureTenant,
  isAuthenticationOn,
  TokenRegister,
} from '@continuity/shared/tenants';
import { readCursorKey } from './cursor-key.ts';
import type { OperationDeps } from './operation-deps.ts';
import { checkSessionSettings } from './session-settings.ts';

/** Dependencies of requests, once the database has the schema of this build. */
export interface AssembledRuntime {
  deps: OperationDeps;
  /** Null if authentication is off. */
  tokens: TokenRegister | null;
  /** The tenant of requests if authentication is off. */
  defaultTenantId: TenantId;
}

export interface RuntimeOptions {
  settings: Settings;
  logger: Logger;
  database: Database;
  assembleDeps: (cursors: CursorCodec) => OperationDeps;
}

/** Assembles the dependencies of requests. Throws if the database does not answer or has the schema of another release. */
export async function assembleRuntime(
  { settings, logger, database, assembleDeps }: RuntimeOptions,
  configured: readonly ConfiguredToken[],
): Promise<AssembledRuntime> {
  await requireSchema(database);
  await checkSessionSettings(database, logger);
  const cursors = new CursorCodec(await readCursorKey(database));
  const defaultTenantId = await ensureTenant(database, defaultTenant);
  const tokens = isAuthenticationOn(settings) ? new TokenRegister() : null;
  await tokens?.replace(database, configured);
  return { deps: assembleDeps(cursors), tokens, defaultTenantId };
}
