import { parseArgs } from 'node:util';
import { type ConfiguredServer, loadSettings, SettingsError, serversOf } from '@continuity/kernel/config';
import { databaseAddressOf, openDatabase, requireSchema, requireServer } from '@continuity/kernel/database';
import { safeError } from '@continuity/kernel/telemetry';
import {
  cleanServers,
  type MoveAddress,
  MoveRefusedError,
  nameServer,
  runMove,
} from '@continuity/shared/tenants';
import { z } from 'zod';
import { ageOption } from './age-option.ts';

const usage =
  'usage: tenants move <tenant> --to <server> [--abort]\n       tenants clean [--older-than <30m|12h|7d>]';

const retryHint = 'Repeat the command when the cause is gone';

let isMove = false;

/** A gateway notices a move within seconds. A day leaves time to compare what was moved. */
const age = ageOption(/^[1-9]\d{0,4}[mhd]$/, 'must be a number with m, h or d, such as 1d');

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { to: { type: 'string' }, abort: { type: 'boolean' }, 'older-than': { type: 'string' } },
    });
    const [command, tenant, ...more] = positionals;
    const { to, abort = false, 'older-than': olderThan } = values;
    if (command === 'clean' && tenant === undefined && to === undefined && !abort)
      return { command, graceSeconds: age.parse(olderThan ?? '1d') / 1_000 } as const;
    if (
      command === 'move' &&
      tenant !== undefined &&
      to !== undefined &&
      olderThan === undefined &&
      more.length === 0
    )
      return { command, tenant, to, isAbort: abort } as const;
    throw new Error(
      command === 'move' ? 'move needs a tenant and --to.' : 'The first word must be move or clean.',
    );
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? `--older-than ${error.issues[0]?.message}` : (error as Error).message;
    throw new SettingsError(`${reason}\n${usage}`);
  }
}

/** Checks that each database is the server that the file says, with the schema of this build. */
async function checkServer({ settings, server, entry }: ConfiguredServer): Promise<MoveAddress> {
  if (server === undefined || entry === undefined)
    throw new SettingsError('Tenants move between the servers of DATABASE_SERVERS_FILE: set it.');
  const { directUrl } = databaseAddressOf(settings);
  const onIdleError = () => undefined;
  const database = openDatabase({ url: directUrl, size: 2, name: 'continuity-move', onIdleError, server });
  try {
    await requireSchema(database);
    await requireServer(database);
    return { name: server.name, directUrl, capacityBytes: entry.capacityBytes };
  } catch (error) {
    throw error instanceof SettingsError ? error : nameServer(error, server.name);
  } finally {
    await database.close();
  }
}

async function main(): Promise<void> {
  const request = readArguments();
  isMove = request.command === 'move';
  const servers = serversOf(loadSettings(process.env));
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  if (request.command === 'clean') {
    const all = await Promise.all(servers.map(checkServer));
    for (const sentence of await cleanServers(all, request.graceSeconds)) print(sentence);
    return;
  }
  // A server that the move does not need may be down.
  const all: MoveAddress[] = [];
  for (const server of servers) {
    const { settings, entry } = server;
    const isNeeded = entry === undefined || entry === servers[0]?.entry || entry.name === request.to;
    const { directUrl } = databaseAddressOf(settings);
    all.push(
      isNeeded
        ? await checkServer(server)
        : { name: entry.name, directUrl, capacityBytes: entry.capacityBytes },
    );
  }
  print(await runMove(all, request, (step) => print(`step: ${step}`)));
}

try {
  await main();
} catch (error) {
  const isOfOperator = error instanceof SettingsError || error instanceof MoveRefusedError;
  const { message, code, type } = safeError(error);
  process.stderr.write(
    `${isOfOperator ? error.message : `${message ?? code ?? type}\n${retryHint}${isMove ? ': it goes on from its last batch.' : '.'}`}\n`,
  );
  process.exitCode = error instanceof SettingsError ? 2 : 1;
}
