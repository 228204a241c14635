import { HostStatus } from '../hook/host-status.ts';
import { Queue } from '../hook/queue.ts';
import { stateFolder } from '../local/user-state.ts';
import { desktopClients, settingsFileOf } from './desktop-clients.ts';
import { type SetupHost, setupHosts } from './hosts.ts';
import { digestOfFile, userFolders } from './plugin-files.ts';
import { type HostRecord, SetupRecord } from './record.ts';
import { findProgram, runProgram } from './run-host.ts';
import { hasEntry } from './settings-entry.ts';

/** Time limit of `--version`, in ms. */
const versionMs = 5_000;

/** One finding about a host or the queue. */
export interface HostCheck {
  name: string;
  isOk: boolean;
  isWarning: boolean;
  message: string;
}

/** What `continuity doctor` says of each host that is found, and of the queue (spec 70 §4.5). Nothing where neither is used. */
export async function checkHosts(env: NodeJS.ProcessEnv): Promise<HostCheck[]> {
  const folders = userFolders(env);
  const state = stateFolder(env);
  if (folders === undefined || state === undefined) return [];
  const record = new SetupRecord(folders);
  const checks = await Promise.all(
    setupHosts.map((host) =>
      checkHost(host, env, record.of(host.name), new HostStatus(state, host.name).read()),
    ),
  );
  return [...checks.flat(), ...checkDesktops(env, record), ...checkQueue(new Queue(state))];
}

async function checkHost(
  host: SetupHost,
  env: NodeJS.ProcessEnv,
  record: HostRecord | undefined,
  status: ReturnType<HostStatus['read']>,
): Promise<HostCheck[]> {
  const program = findProgram(host.command, env);
  if (program === undefined && record === undefined && status === undefined) return [];
  const changed = Object.entries(record?.files ?? {}).filter(
    ([path, digest]) => digestOfFile(path) !== digest,
  );
  const parts = [
    program === undefined
      ? `${host.command} is not on the PATH`
      : `version ${await versionOf(program)}, the plugin is for ${host.version}`,
    !record?.version ? `not connected: continuity setup ${host.name}` : 'connected',
    ...changed.map(([path]) => `changed or missing: ${path}`),
    status === undefined ? 'no event yet' : `last event ${status.lastEvent.toISOString()}`,
    ...(status?.failure === undefined ? [] : [`last failure: ${status.failure}`]),
    ...(host.name === 'codex' && record !== undefined
      ? ['Codex runs the hooks once you trust them in /hooks']
      : []),
  ];
  const isWarning = changed.length > 0 || status?.failure !== undefined;
  return [{ name: host.name, isOk: true, isWarning, message: `${parts.join('; ')}.` }];
}

/** A program that was connected, and whether its settings still have the entry. */
function checkDesktops(env: NodeJS.ProcessEnv, record: SetupRecord): HostCheck[] {
  return desktopClients.flatMap((client) => {
    const entry = record.of(client.name)?.entry;
    const path = settingsFileOf(client, env);
    if (entry === undefined || path === undefined) return [];
    const isThere = hasEntry(path, client.key, entry);
    const message = isThere ? 'connected.' : `the entry in ${path} was changed or removed.`;
    return [{ name: client.name, isOk: true, isWarning: !isThere, message }];
  });
}

async function versionOf(program: string): Promise<string> {
  try {
    const { stdout } = await runProgram(program, ['--version'], { timeoutMs: versionMs });
    return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

function checkQueue(queue: Queue): HostCheck[] {
  const { queued, bytes, refused, notKept } = queue.counts();
  if (queued + refused + notKept === 0) return [];
  const wait = `(${Math.ceil(bytes / 1024)} KiB) in the queue; to send now: continuity import queue`;
  const parts = [
    ...(queued > 0 ? [`${countTexts(queued)} ${wait}`] : []),
    ...(refused > 0 ? [`${countTexts(refused)} refused by the service`] : []),
    ...(notKept > 0
      ? [`${countTexts(notKept)} not kept; to store them from the sessions: continuity import`]
      : []),
  ];
  return [{ name: 'queue', isOk: true, isWarning: true, message: `${parts.join('; ')}.` }];
}

function countTexts(count: number): string {
  return count === 1 ? '1 text' : `${count} texts`;
}
