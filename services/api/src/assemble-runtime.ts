import type { Settings } from '@continuity/kernel/config';
import {
  column,
  type Database,
  deploymentStatement,
  type Epoch,
  pick,
  requireDatabase,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { runInEpoch } from '@continuity/kernel/fairness';
import type { Logger } from '@continuity/kernel/telemetry';
import type { ArtifactDeps } from '@continuity/shared/artifacts';
import type { ConnectorDeps } from '@continuity/shared/connectors';
import type { ContextDeps } from '@continuity/shared/context';
import type { ExperienceDeps } from '@continuity/shared/experience';
import type { ExternalSkillDeps } from '@continuity/shared/external-skills';
import type { GenerationDeps } from '@continuity/shared/generation';
import { CursorCodec } from '@continuity/shared/handlers';
import type { HandoffDeps } from '@continuity/shared/handoff';
import type { HandoffGenerationDeps } from '@continuity/shared/handoff/generation';
import type { JobDeps } from '@continuity/shared/jobs';
import type { MemoryDeps } from '@continuity/shared/memory';
import type { RemoteSkillDeps } from '@continuity/shared/remote-skills';
import type { CatalogDeps, ReportAnswerDeps } from '@continuity/shared/reports';
import type { ReviewDeps } from '@continuity/shared/review';
import type { ScopeDeps } from '@continuity/shared/scopes';
import type { SkillDeps } from '@continuity/shared/skills';
import type { SourceDeps } from '@continuity/shared/sources';
import type { StatsDeps } from '@continuity/shared/stats';
import {
  type ConfiguredToken,
  defaultTenant,
  ensureTenant,
  isAuthenticationOn,
  loadPlacedRegister,
  loadRegister,
  type PlacedTenant,
  type TokenRegister,
} from '@continuity/shared/tenants';
import type { WorkDeps } from '@continuity/shared/work';

/** The dependencies of all operations. `startGateway` provides them. */
export type OperationDeps = ArtifactDeps &
  CatalogDeps &
  ConnectorDeps &
  ContextDeps &
  ExperienceDeps &
  ExternalSkillDeps &
  GenerationDeps &
  HandoffDeps &
  HandoffGenerationDeps &
  JobDeps &
  MemoryDeps &
  RemoteSkillDeps &
  ReportAnswerDeps &
  ReviewDeps &
  ScopeDeps &
  SkillDeps &
  SourceDeps &
  StatsDeps &
  WorkDeps;

const selectCursorKey = deploymentStatement(
  'deployment_cursor_key',
  'SELECT cursor_key FROM deployment',
  pick(tables.deployment, 'cursor_key'),
);

/** Reads the key of the deployment's cursors, which all of its gateways share. */
export async function readCursorKey(database: Database): Promise<Buffer> {
  const row = await database.sql.first(selectCursorKey, []);
  if (row === undefined) throw new Error('The table deployment is empty.');
  return row.cursor_key;
}

/** Dependencies of requests, and all that the gateway holds of the database. Valid in one epoch. */
export interface AssembledRuntime {
  epoch: Epoch;
  deps: OperationDeps;
  /** Null if authentication is off. */
  tokens: TokenRegister | null;
  /** The tenant of requests if authentication is off. Undefined if it is on another database server. */
  defaultTenantId: TenantId | undefined;
  /**
   * Tenants that the server has as of a time before their last move, or not at all, with the version of that move by the directory. They are not
   * served.
   */
  stale: ReadonlyMap<string, string | null>;
}

/** What the directory of several database servers says of one of them. */
export interface ServerTenants {
  /** Looks all tenants up again. Never rejects. */
  refresh(): Promise<void>;
  /** The tenants of the server, as of the last look-up. */
  own(): Map<string, PlacedTenant>;
  /** Lets the directory end the work of tenants that the server has from a backup, and that are on another server. */
  expectDeparted(): void;
  /** Logs tenants that the server has as of a time before their last move, or not at all. */
  reportStale(names: readonly string[]): void;
}

export interface RuntimeOptions {
  settings: Settings;
  logger: Logger;
  database: Database;
  /** Creates the dependencies, with empty caches. */
  assembleDeps: (cursors: CursorCodec) => OperationDeps;
  /** The tenants of this server, if there are several. Without it, all tenants are here. */
  tenants?: ServerTenants;
}

/**
 * Assembles the dependencies of requests in the current epoch. Throws if the database does not answer, has the schema of another release,
 * or begins another epoch meanwhile.
 */
export async function assembleRuntime(
  { settings, logger, database, assembleDeps, tenants }: RuntimeOptions,
  configured: readonly ConfiguredToken[],
): Promise<AssembledRuntime> {
  const epoch = database.epochs.current;
  await tenants?.refresh();
  return await runInEpoch(epoch, async () => {
    await requireDatabase(database);
    await checkSessionSettings(database, logger);
    const cursors = new CursorCodec(await readCursorKey(database));
    const deps = assembleDeps(cursors);
    const hasTokens = isAuthenticationOn(settings);
    if (tenants === undefined) {
      const defaultTenantId = await ensureTenant(database, defaultTenant);
      const tokens = hasTokens ? await loadRegister(database, configured) : null;
      return { epoch, deps, tokens, defaultTenantId, stale: new Map() };
    }
    const own = tenants.own();
    tenants.expectDeparted();
    const { register, here, stale } = await loadPlacedRegister(database, configured, own);
    tenants.reportStale(stale);
    const tokens = hasTokens ? register : null;
    const moveVersionOf = (name: string) => own.get(name)?.moveVersion ?? null;
    return {
      epoch,
      deps,
      tokens,
      defaultTenantId: here.get(defaultTenant),
      stale: new Map(stale.map((name) => [name, moveVersionOf(name)])),
    };
  });
}

const sessionSettings = deploymentStatement(
  'session_settings',
  "SELECT current_setting('plan_cache_mode') AS plan_cache_mode",
  { plan_cache_mode: column.text },
);

/** Logs a warning if a pooler gives sessions without the settings of the service. */
export async function checkSessionSettings(database: Database, logger: Logger): Promise<void> {
  const session = await database.sql.first(sessionSettings, []);
  if (session?.plan_cache_mode === 'force_generic_plan') return;
  logger.warn(
    'the sessions of the pooler lack the settings of the service: migrate with DATABASE_DIRECT_URL, then let the pooler reconnect',
  );
}
