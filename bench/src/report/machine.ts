import { execFile } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import pg from 'pg';

const execute = promisify(execFile);
const bytesPerGib = 2 ** 30;

/** One line about the machine, the runtime, the database and the revision. */
export async function describeMachine(postgresUrl: string, origin: string): Promise<string> {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  return [
    `${processors.length} cores (${model})`,
    `${(totalmem() / bytesPerGib).toFixed(0)} GiB`,
    `Node ${process.version}`,
    `PostgreSQL ${await serverVersion(postgresUrl)} (${origin})`,
    new Date().toISOString().slice(0, 10),
    await describeRevision(),
  ].join(', ');
}

async function serverVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await client.end();
  }
}

/** A source archive has no Git history. */
async function describeRevision(): Promise<string> {
  return await execute('git', ['describe', '--always', '--dirty'], { cwd: import.meta.dirname }).then(
    ({ stdout }) => `at ${stdout.trim()}`,
    () => 'at an unknown revision',
  );
}
