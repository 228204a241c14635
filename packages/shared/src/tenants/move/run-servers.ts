import { MoveRefusedError } from './refused-error.ts';
import { type MoveSession, openMoveSession } from './session.ts';

/** A server of the deployment. The first one has the directory. */
export interface MoveAddress {
  name: string;
  directUrl: string;
  /** Size that the database may have; undefined if the operator does not say. */
  capacityBytes: number | undefined;
}

/** Opens sessions for `work`, and closes all of them. */
export async function withSessions<T>(
  work: (open: (address: MoveAddress) => Promise<MoveSession>) => Promise<T>,
): Promise<T> {
  const sessions: MoveSession[] = [];
  try {
    return await work(async ({ name, directUrl }) => {
      const session = await openMoveSession(directUrl, name);
      sessions.push(session);
      const { rows } = await session.query<{ server: string | null }>('SELECT server FROM deployment');
      if (rows[0]?.server !== name)
        throw new MoveRefusedError(
          `The database of the server "${name}" in DATABASE_SERVERS_FILE is another server.`,
        );
      return session;
    });
  } finally {
    await Promise.allSettled(sessions.map((session) => session.end()));
  }
}

/** Opens the first server, which has the directory. */
export async function openDirectory(
  servers: readonly MoveAddress[],
  open: (address: MoveAddress) => Promise<MoveSession>,
): Promise<MoveSession> {
  const [first] = servers;
  if (first === undefined) throw new Error('A deployment has a database server.');
  return await open(first);
}

/** Finds a server of the deployment. Throws a `MoveRefusedError` if the file does not list it. */
export function requireAddress(servers: readonly MoveAddress[], name: string): MoveAddress {
  const address = servers.find((server) => server.name === name);
  if (address === undefined)
    throw new MoveRefusedError(`The tenant is on "${name}", which is no server of DATABASE_SERVERS_FILE.`);
  return address;
}

/** Adds what the operator should know about triggers that could not be dropped. */
export function withTriggers(sentence: string, tables: readonly string[]): string {
  if (tables.length === 0) return sentence;
  return `${sentence} Triggers of the move stay on tables that were in use (${tables.join(', ')}): they do nothing, and \`tenants clean\` drops them.`;
}
