import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type CliResult, runCli } from '../support/cli.ts';
import { startService, type TestService } from '../support/service.ts';
import { query } from '../support/sql.ts';
import { tokenOf, writeTokens } from '../support/tenants.ts';
import { makeHome } from './home.ts';

/** What `continuity import --json` prints. */
export interface Summary {
  sessions: number;
  unchanged_files: number;
  added: number;
  already: number;
  refused: number;
  entries: number;
  left_out: Record<string, number>;
  scopes: Record<string, { added: number; already: number }>;
}

/** A stored Source. */
export interface StoredSource {
  scope_id: string;
  source_type: string;
  source_id: string;
  /** JSON. */
  content: string;
  metadata: string | null;
  occurred_at: string | null;
}

/** A machine with a home folder, whose user imports into one tenant of a service. */
export interface Machine {
  home: string;
  tenant: string;
  env: Record<string, string>;
  run(...args: string[]): Promise<CliResult>;
  /** Runs `import` with `--json`. Throws for an exit code that is not 0. */
  import(...args: string[]): Promise<Summary>;
  /** The Sources of the tenant, by Scope and position. */
  sources(): Promise<StoredSource[]>;
  write(path: string, text: string | Buffer): Promise<string>;
  remove(): Promise<void>;
}

export async function makeMachine(
  { url, databaseUrl }: Pick<TestService, 'url' | 'databaseUrl'>,
  tenant: string,
): Promise<Machine> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-home-'));
  await makeHome(home);
  const env = { HOME: home, CONTINUITY_URL: url, CONTINUITY_TOKEN: tokenOf(tenant) };
  const run = (...args: string[]) => runCli(['import', ...args], { env });
  return {
    home,
    tenant,
    env,
    run,
    import: async (...args) => {
      const { code, stdout, stderr } = await run('--json', ...args);
      if (code !== 0) throw new Error(`The import ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as Summary;
    },
    sources: () =>
      query<StoredSource & Record<string, unknown>>(
        databaseUrl,
        `SELECT c.scope_id, s.source_type, s.source_id, s.content, s.metadata, s.occurred_at
         FROM tenants t JOIN sources s USING (tenant_id) JOIN scopes c USING (tenant_id, scope_key)
         WHERE t.name = $1 ORDER BY c.scope_id, s.position`,
        [tenant],
      ),
    write: async (path, text) => {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
      return join(home, path);
    },
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

/** What the tests of a file share. Read `service` in hooks and tests only. */
export interface ImportTests {
  readonly service: TestService;
  /** A machine of a tenant that no other machine of the file uses. */
  newMachine(): Promise<Machine>;
}

/** Registers the hooks of a file: a service with workers and the tenants `NAME-0` to `NAME-(count - 1)`, one for each machine. */
export function setUpImports(name: string, count: number): ImportTests {
  const tenants = Array.from({ length: count }, (_, index) => `${name}-${index}`);
  const machines: Machine[] = [];
  let service: TestService;
  let taken = 0;
  beforeAll(async () => {
    service = await startService({
      environment: { AUTH_TOKENS_FILE: await writeTokens(...tenants), MEMORY_AUTO_FLUSH: 'off' },
      workers: true,
    });
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all(machines.map((machine) => machine.remove()));
  });
  return {
    get service() {
      return service;
    },
    newMachine: async () => {
      const tenant = tenants[taken];
      if (tenant === undefined) throw new Error(`More than ${count} machines.`);
      taken += 1;
      const machine = await makeMachine(service, tenant);
      machines.push(machine);
      return machine;
    },
  };
}

/** The texts of Sources. */
export const textsOf = (sources: StoredSource[]) => sources.map(({ content }) => JSON.parse(content));

/** The lines of a report. */
export async function readReport(path: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
