import { readdir, readFile } from 'node:fs/promises';
import { query } from './query.ts';

/** Length of the kernel's clock tick: 100 of them are a second on Linux. */
const tickMs = 10;

/** Indexes in /proc/<pid>/stat behind the name: the parent, and the times of the process and of its ended children. */
const field = { parent: 1, user: 11, system: 12, childUser: 13, childSystem: 14 };

/** Processor time in milliseconds that a process of this machine has used, on Linux. Its ended children count if `withChildren`. */
export async function processorMs(pid: number, { withChildren = false } = {}): Promise<number> {
  const fields = await statOf(pid);
  const names = withChildren
    ? (['user', 'system', 'childUser', 'childSystem'] as const)
    : (['user', 'system'] as const);
  return names.reduce((ticks, name) => ticks + Number(fields[field[name]]), 0) * tickMs;
}

/** Processor time in milliseconds that the PostgreSQL server of this machine has used, with its sessions. */
export async function databaseProcessorMs(url: string): Promise<number> {
  const [row] = await query<{ pid: string }>(
    url,
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid",
  );
  const server = Number(row?.pid);
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    all.map((pid) =>
      statOf(pid).then(
        (fields) => Number(fields[field.parent]),
        () => undefined,
      ),
    ),
  );
  const sessions = all.filter((_pid, index) => parents[index] === server);
  const times = await Promise.all(sessions.map((pid) => processorMs(pid).catch(() => 0)));
  return times.reduce((sum, ms) => sum + ms, await processorMs(server, { withChildren: true }));
}

async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name before may have spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
