import { parseArgs } from 'node:util';
import { queueNames } from '@continuity/contract';
import { loadSettings, SettingsError, serversOf } from '@continuity/kernel/config';
import { databaseAddressOf, openDatabase, requireSchema } from '@continuity/kernel/database';
import { safeError } from '@continuity/kernel/telemetry';
import { replayFailedJobs } from '@continuity/shared/jobs';
import { z } from 'zod';
import { ageOption } from './age-option.ts';

/** Queues failed jobs of all tenants again, on the database of `DATABASE_URL`, or on all servers: `continuity jobs replay`. */
const usage = 'usage: jobs replay --queue <queue> [--code <code>] [--older-than <30m|12h|7d>] [--dry-run]';

const age = ageOption(/^\d{1,6}[smhd]$/, 'must be a number with s, m, h or d, such as 7d');

const shape = z.object({
  queue: z.enum(queueNames, { error: `must be one of ${queueNames.join(', ')}` }),
  code: z.string().min(1).optional(),
  'older-than': age.optional(),
  'dry-run': z.boolean().default(false),
});

function readArguments(): z.output<typeof shape> {
  try {
    const { values } = parseArgs({
      options: {
        queue: { type: 'string' },
        code: { type: 'string' },
        'older-than': { type: 'string' },
        'dry-run': { type: 'boolean' },
      },
    });
    return shape.parse(values);
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const reason =
      issue === undefined ? (error as Error).message : `--${issue.path.join('.')} ${issue.message}`;
    throw new SettingsError(`${reason}\n${usage}`);
  }
}

async function replay(): Promise<void> {
  const { queue, code, 'older-than': olderThanMs, 'dry-run': isDryRun } = readArguments();
  for (const { settings, server } of serversOf(loadSettings(process.env))) {
    const { directUrl: url } = databaseAddressOf(settings);
    const onIdleError = () => undefined;
    const database = openDatabase({ url, size: 2, name: 'continuity-replay', onIdleError });
    try {
      await requireSchema(database);
      const count = await replayFailedJobs(database.sql, { queue, code, olderThanMs }, isDryRun);
      const result = isDryRun ? 'would be queued again' : 'queued again';
      const place = server === undefined ? '' : ` on the server ${server.name}`;
      process.stdout.write(`${count} failed jobs of ${queue}${place} ${result}.\n`);
    } finally {
      await database.close();
    }
  }
}

try {
  await replay();
} catch (error) {
  process.stderr.write(`${error instanceof SettingsError ? error.message : safeError(error).message}\n`);
  process.exitCode = error instanceof SettingsError ? 2 : 1;
}
