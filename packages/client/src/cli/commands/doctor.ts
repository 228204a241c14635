import type { Command } from 'commander';
import { ServiceError } from '../../errors.ts';
import { FolderScopes } from '../../local/folder-scope.ts';
import type { ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { toLine } from '../errors.ts';

/** Clocks that differ more make times in lists and reports misleading. */
const maxClockSkewMs = 60_000;
const livenessPath = '/health/live';

export function addDoctorCommand(program: Command): void {
  withContext(
    program
      .command('doctor')
      .description('check address, clock, readiness, token and agent hosts, and say what to do'),
    diagnose,
  );
}

/** Ends with exit code 6 if the service is not usable, 3 if the token is not. */
async function diagnose(context: Context) {
  const { output } = context;
  const checks: Check[] = [];
  const reached = await checkAddress(context);
  checks.push(...reached);
  if (reached.every(({ isOk }) => isOk)) {
    const readiness = await context.client.getReadiness().catch((error: unknown) => toLine(error));
    checks.push(...checkReadiness(readiness), ...(await checkRequests(context, readiness)));
  }
  checks.push(...(await checkAgentHosts(context)));
  if (output.isJson)
    output.json({
      checks: checks.map(({ name, isOk, isWarning = false, message }) => ({
        name,
        ok: isOk,
        ...(isWarning && { warning: true }),
        message,
      })),
    });
  else
    output.table(
      ['', 'CHECK', 'RESULT'],
      checks.map((check) => [stateOf(check), check.name, check.message]),
    );
  if (checks.some(({ name, isOk }) => name === 'token' && !isOk)) process.exitCode = 3;
  else if (checks.some(({ isOk }) => !isOk)) process.exitCode = 6;
}

function stateOf({ isOk, isWarning = false }: Check): string {
  if (!isOk) return 'FAILED';
  return isWarning ? 'warn' : 'ok';
}

async function checkAddress({ settings }: Context): Promise<Check[]> {
  const { url } = settings;
  const failed = (message: string): Check[] => [{ name: 'address', isOk: false, message }];
  try {
    const response = await fetch(url.replace(/\/+$/, '') + livenessPath, {
      signal: AbortSignal.timeout(5_000),
      // After a 301 or 302, `fetch` repeats a POST as a GET, so other commands would fail.
      redirect: 'manual',
    });
    const target = redirectTargetOf(response, url);
    if (target !== undefined)
      return failed(`${url} redirects to ${target}. Use that address for --url or CONTINUITY_URL.`);
    const body = (await response.json().catch(() => null)) as { status?: unknown } | null;
    if (body?.status !== 'ok' || !response.headers.has('x-service-request-id'))
      return failed(`${url} is another service. Correct --url or CONTINUITY_URL.`);
    return [{ name: 'address', isOk: true, message: url }, checkClock(response.headers.get('date'))];
  } catch {
    return failed(
      `${url} does not answer. Start the service (npm start), or correct --url or CONTINUITY_URL.`,
    );
  }
}

/** The base URL that a redirect of the liveness check leads to; undefined for other answers. */
function redirectTargetOf({ status, headers }: Response, url: string): string | undefined {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, url)) return undefined;
  const { origin, pathname } = new URL(location, url);
  return origin + (pathname.endsWith(livenessPath) ? pathname.slice(0, -livenessPath.length) : pathname);
}

function checkClock(date: string | null): Check {
  const skewMs = date === null ? 0 : Math.abs(Date.now() - Date.parse(date));
  const isOk = skewMs <= maxClockSkewMs;
  const seconds = Math.round(skewMs / 1_000);
  return {
    name: 'clock',
    isOk,
    message: isOk
      ? 'agrees with the service'
      : `differs by ${seconds} s. Synchronize the clocks of both machines.`,
  };
}

/** The readiness of the service, or why it cannot be read. */
type Readiness = ResponseOf<'get_readiness'> | string;

function checkReadiness(readiness: Readiness): Check[] {
  if (typeof readiness === 'string') return [{ name: 'readiness', isOk: false, message: readiness }];
  const { checks, reasons = {} } = readiness;
  return Object.entries(checks).map(([name, state]) => ({
    name,
    isOk: state === 'ready',
    message:
      state === 'ready'
        ? 'ready'
        : `${[String(state), reasons[name]]
            .filter((part) => part !== undefined)
            .join(': ')
            .replace(/\.$/, '')}. See the log of the service, and docs/operations.md.`,
  }));
}

async function checkRequests(context: Context, readiness: Readiness): Promise<Check[]> {
  const { client, settings } = context;
  try {
    const capabilities = await client.getCapabilities();
    const message = settings.token === undefined ? 'none is needed' : 'accepted';
    const token = { name: 'token', isOk: true, message };
    return [token, checkSearch(capabilities, readiness), ...(await checkScopes(context))];
  } catch (error) {
    return [requestFailure(error, settings.token)];
  }
}

/** Nothing for a user without hosts. What hooks capture without a chosen Scope is in that of the folder. */
async function checkAgentHosts({ client, settings }: Context): Promise<Check[]> {
  // Most commands need none of it.
  const { checkHosts } = await import('../../setup/host-checks.ts');
  const checks = await checkHosts(process.env);
  const scope = new FolderScopes().scopeOf(process.cwd());
  if (checks.length === 0 || settings.scope !== undefined || scope === undefined) return checks;
  try {
    const selection = { mode: 'exact' as const, scope_ids: [scope] };
    const { inventory } = await client.getStats({ selection });
    return inventory.sources.total > 0 ? checks : [...checks, emptyScope(scope)];
  } catch (error) {
    if (error instanceof ServiceError && error.is('scope_not_found')) return [...checks, emptyScope(scope)];
    return checks;
  }
}

function emptyScope(scope: string): Check {
  const message = `The Scope of this folder, ${JSON.stringify(scope)}, is empty. To fill it: continuity import`;
  return { name: 'default scope', isOk: true, isWarning: true, message };
}

/** The result is of the token only if the service judges the token. It may refuse any request, for example one for an unknown host. */
function requestFailure(error: unknown, token: string | undefined): Check {
  if (!(error instanceof ServiceError) || ![401, 403].includes(error.status))
    return { name: 'requests', isOk: false, message: toLine(error) };
  const advice = 'CONTINUITY_TOKEN, or: continuity profile set NAME --token-stdin';
  const message =
    token === undefined ? `is missing. Set ${advice}` : `refused: ${error.message} Correct ${advice}`;
  return { name: 'token', isOk: false, message };
}

type ScopeStats = ResponseOf<'get_stats'>['by_scope'][number];

/** One finding. */
export interface Check {
  name: string;
  isOk: boolean;
  /** The service works, but probably not as intended. */
  isWarning?: boolean;
  /** The finding, with advice. */
  message: string;
}

/** Scopes that one line names. */
const maxNamed = 5;

/** Says how the service searches, and why it does not search by meaning. */
export function checkSearch({ search_modes }: ResponseOf<'get_capabilities'>, readiness: Readiness): Check {
  const name = 'search';
  if (search_modes.includes('vector')) return { name, isOk: true, message: 'by words and by meaning' };
  if (typeof readiness === 'string') {
    const message = 'by words only. The readiness cannot be read, so the cause is unknown.';
    return { name, isOk: true, isWarning: true, message };
  }
  const { checks, reasons = {} } = readiness;
  const check = 'inference.embedding';
  if (check in checks) {
    const message = 'by words only, because the embedding model is misconfigured. See docs/embeddings.md.';
    return { name, isOk: true, isWarning: true, message };
  }
  const reason = reasons[check];
  if (reason !== undefined) return { name, isOk: true, isWarning: true, message: `by words only. ${reason}` };
  const message =
    'by words only: no embedding model is configured, and the built-in embedder is off, or the gateway has no EMBEDDER_URL. See docs/embeddings.md.';
  return { name, isOk: true, message };
}

/** Warns of Scopes that hooks or agents read, and nobody writes: they use another Scope than what captures and remembers. */
export async function checkScopes({ client, settings }: Context): Promise<Check[]> {
  const stats = await client
    .getStats({ selection: { mode: 'all' }, period: '7d' })
    .catch((error: unknown) => {
      // Too many Scopes for one answer.
      if (error instanceof ServiceError && error.status === 422) return undefined;
      throw error;
    });
  if (stats === undefined) return [];
  const name = 'scopes';
  const { scope } = settings;
  const warnings: Check[] = [];
  const read = stats.by_scope.filter(
    (one) => isUnwritten(one) && (one.recall.totals.preparations > 0 || one.scope_id === scope),
  );
  if (read.length > 0)
    warnings.push({ name, isOk: true, isWarning: true, message: `${describe(read)} ${advice}` });
  if (scope !== undefined && !stats.scope_ids.includes(scope)) {
    const message = `${JSON.stringify(scope)} does not exist: who reads it gets nothing. ${advice}`;
    warnings.push({ name, isOk: true, isWarning: true, message });
  }
  if (warnings.length > 0) return warnings;
  return [{ name, isOk: true, message: `${stats.scope_ids.length}, none is read without being written` }];
}

const advice = 'Give hooks, agents and commands the same Scope (--scope, CONTINUITY_SCOPE, a profile).';

function isUnwritten({ inventory: { sources, artifacts, memory } }: ScopeStats): boolean {
  return sources.total === 0 && artifacts.total === 0 && memory.entries.total === 0;
}

function describe(scopes: ScopeStats[]): string {
  const named = scopes.slice(0, maxNamed).map(({ scope_id, recall }) => {
    return `${JSON.stringify(scope_id)} (${recall.totals.preparations} contexts in 7 days)`;
  });
  const others = scopes.length > maxNamed ? [`${scopes.length - maxNamed} more`] : [];
  return `read, and nothing was ever written: ${[...named, ...others].join(', ')}.`;
}
