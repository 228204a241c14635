import { runAtOnce } from '@continuity/kernel/fairness';
import { createLogger } from '@continuity/kernel/telemetry';
import { newId } from '@continuity/kernel/text';
import { expect, test } from 'vitest';
import type { ClaimedJob } from '../../../src/jobs/index.ts';
import type { EvidenceSource, Extractor, Proposal } from '../../../src/memory/extraction/index.ts';
import { fitWindow, maxCommitTerms } from '../../../src/memory/flush/fit-window.ts';
import { runFlush } from '../../../src/memory/flush/index.ts';
import { projectTexts } from '../../../src/search/index.ts';
import { captureContent, prepareCapture } from '../../../src/sources/index.ts';
import { openOwnDatabase } from '../../support/database.ts';

const { database, tenantId } = await openOwnDatabase('many-words');
const scopeId = 'hostile';

/** A text of words that no other text has. */
const words = (text: number, count: number) =>
  Array.from({ length: count }, (_, word) => `w${(text * 1_000 + word).toString(36)}q`).join(' ');

const textsOfSource = 5;
const common = 'All Sources say this.';

const extractor: Extractor = {
  id: 'words',
  needsKnownEntries: false,
  extract: async ({ sources }) => ({
    proposals: [
      { op: 'add', kind: 'fact', text: common, evidence: sources.map(({ ref }) => ref) },
      ...sources.flatMap(statementsOf),
    ],
    leftOut: [],
  }),
};

function statementsOf({ ref }: EvidenceSource): Proposal[] {
  const source = Number(ref.source_id);
  return Array.from({ length: textsOfSource }, (_, text) => ({
    op: 'add',
    kind: 'fact',
    text: words(source * textsOfSource + text, 1_000),
    evidence: [ref],
  }));
}

async function flush(): Promise<number> {
  const jobId = newId();
  await database.pool.query(
    `INSERT INTO jobs (tenant_id, job_id, queue, operation, job_group, request, status, attempt)
     VALUES ($1, $2, 'memory-flush', 'flush_memory', 'hostile', '{}', 'running', 1)`,
    [tenantId, jobId],
  );
  const deps = {
    database,
    logger: createLogger({ LOG_LEVEL: 'silent' }, 'test'),
    extractor,
    builtIn: extractor,
    profile: 'coding' as const,
    windowLimit: 1_000,
    autoFlush: false,
  };
  const job = { tenantId, jobId, scopeId, attempt: 1 } as ClaimedJob;
  await runFlush(deps, job, { scope_id: scopeId }, new AbortController().signal);
  const { rows } = await database.pool.query('SELECT result FROM jobs WHERE job_id = $1', [jobId]);
  return rows[0].result.processed_source_count;
}

test('a flush of Sources with very many words takes a part of them, and the next one the rest', async () => {
  const sources = 25;
  for (let source = 0; source < sources; source += 1) {
    const capture = prepareCapture({ scope_id: scopeId, source_id: `${source}`, content: 'said' });
    await captureContent(database, tenantId, capture, null);
  }
  const countTerms = async () => {
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS terms FROM memory_terms WHERE entries > 0',
    );
    return rows[0].terms as number;
  };
  const processed: number[] = [];
  for (let before = 0; processed.at(-1) !== 0; before = await countTerms()) {
    processed.push(await flush());
    // One Source may exceed the limit, and a batch is a term too.
    expect((await countTerms()) - before).toBeLessThan(maxCommitTerms * 1.1);
  }
  expect(processed.length).toBeGreaterThan(2);
  expect(processed.reduce((sum, count) => sum + count)).toBe(sources);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS entries,
       max(jsonb_array_length(v.source_refs)) FILTER (WHERE v.text = $1) AS evidence
     FROM memory_states s JOIN memory_versions v USING (tenant_id, artifact_key, entry_id, version)
     WHERE s.valid_to IS NULL`,
    [common],
  );
  expect(rows).toEqual([{ entries: sources * textsOfSource + 1, evidence: sources }]);
});

test('a window is cut before the Source that exceeds the limit, and keeps the evidence before it; the first one stays', () => {
  const refs = ['a', 'b', 'c'].map((source_id) => ({ name: 'content', source_id }));
  const [a, b, c] = refs as [(typeof refs)[0], (typeof refs)[0], (typeof refs)[0]];
  const sources = refs.map(({ name, source_id }, index) => ({
    position: index + 1,
    sourceType: name,
    sourceId: source_id,
    json: '""',
    record: null,
    metadata: null,
    occurredAt: null,
    capturedAt: new Date(0),
  }));
  const add = (text: string, ...evidence: typeof refs): Proposal => ({
    op: 'add',
    kind: 'fact',
    text,
    evidence,
  });
  const proposals = [add('one two three', a, c), add('four five six', b), add('seven', c)];
  const leftOut = sources.map(({ position }) => ({ position, reason: 'limit' as const, count: position }));
  const window = {
    scopeId,
    scopeKey: 1 as never,
    cursor: 0,
    highWatermark: 3,
    sources,
    retry: { failedFlushes: 0, invalidOutputs: 0, windowLimit: null },
  };
  const projections = runAtOnce(
    projectTexts(
      { tenantId, scopeId },
      proposals.map(({ text }) => text),
    ),
  );
  const fit = (maxTerms: number) =>
    runAtOnce(fitWindow({ window, proposals, leftOut }, projections, maxTerms));
  expect(fit(1_000)).toEqual({ window, proposals, leftOut });
  for (const maxTerms of [1, 5]) {
    expect(fit(maxTerms)).toEqual({
      window: { ...window, sources: sources.slice(0, 1) },
      proposals: [add('one two three', a)],
      leftOut: leftOut.slice(0, 1),
    });
  }
});
