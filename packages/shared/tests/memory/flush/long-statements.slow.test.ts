import { runInSlices } from '@continuity/kernel/fairness';
import { createLogger } from '@continuity/kernel/telemetry';
import { newId } from '@continuity/kernel/text';
import type { ClaimedJob } from '@continuity/shared/jobs';
import { cpuTimeOf } from '@continuity/testing';
import { expect, test } from 'vitest';
import type { Extractor } from '../../../src/memory/extraction/index.ts';
import { runFlush } from '../../../src/memory/flush/index.ts';
import { projectTexts } from '../../../src/search/index.ts';
import { captureContent, prepareCapture } from '../../../src/sources/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { measureTransactions } from '../../support/measure-transactions.ts';

const { database, tenantId } = await openOwnDatabase('long-statements');
const scopeId = 'long';

const syllables = ['ban', 'del', 'gur', 'kam', 'lot', 'mir', 'nas', 'pol', 'rut', 'sim'];

/** A long word for each number, which may be a German compound. */
const longWord = (number: number) =>
  [...String(10 ** 12 + number * 7_919)].map((digit) => syllables[Number(digit)]).join('');

/** German texts of 8 KB, which take longest to analyze. */
const texts = Array.from({ length: 60 }, (_, text) => {
  const words = Array.from({ length: 200 }, (__, word) => longWord(text * 1_000 + word));
  return `Das ist nicht für uns und die anderen: ${words.join(' ')}`;
});

const extractor: Extractor = {
  id: 'long',
  needsKnownEntries: false,
  extract: async ({ sources }) => ({
    proposals: texts.map((text) => ({
      op: 'add',
      kind: 'fact',
      text,
      evidence: sources.map(({ ref }) => ref),
    })),
    leftOut: [],
  }),
};

async function addRunningJob(): Promise<ClaimedJob> {
  const jobId = newId();
  await database.pool.query(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, attempt)
     VALUES ($1, $2, 'memory-flush', 'flush_memory', 'long', '{}', 'running', 1)`,
    [tenantId, jobId],
  );
  return { tenantId, jobId, scopeId, attempt: 1 } as ClaimedJob;
}

test('spec 20 F7: a flush analyzes its statements before its transaction begins', async () => {
  const capture = prepareCapture({ scope_id: scopeId, source_id: 'one', content: 'said' });
  await captureContent(database, tenantId, capture, null);
  const job = await addRunningJob();
  const { measured, spentMs } = measureTransactions(database);
  const deps = {
    database: measured,
    logger: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
    extractor,
    builtIn: extractor,
    profile: 'coding' as const,
    windowLimit: 100,
    autoFlush: false,
  };
  await runFlush(deps, job, { scope_id: scopeId }, new AbortController().signal);
  const { rows } = await database.pool.query('SELECT active_entries FROM memory_totals');
  expect(rows).toEqual([{ active_entries: texts.length }]);
  const analysisMs = await cpuTimeOf(() => runInSlices(projectTexts({ tenantId, scopeId }, texts)));
  expect(spentMs()).toBeLessThan(analysisMs / 2);
});
