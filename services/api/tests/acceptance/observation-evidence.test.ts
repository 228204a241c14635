import type { SourceRef } from '@continuity/contract';
import { waitUntil } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { observation, registered, submitted } from '../support/connectors.ts';
import { freshScope } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { capture } from '../support/sources.ts';
import { query } from '../support/sql.ts';

const quick = { MEMORY_AUTO_FLUSH_DEBOUNCE_MS: '100', MEMORY_AUTO_FLUSH_MAX_DELAY_MS: '500' };
const service = await startService({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } });
const automatic = await startService({ workers: true, environment: quick });

afterAll(async () => {
  await service.stop();
  await automatic.stop();
});

const flush = async (scope_id: string) => (await service.call('flush_memory', { body: { scope_id } })).body;

const decision = 'We decided to send the first reminder on day three.';

async function entriesOf(scope_id: string) {
  const { body } = await service.call('list_memory_entries', { body: { scope_id } });
  return body.entries;
}

test('spec 10 §9.2.5: extraction reads the text evidence of an observation, and not its payload', async () => {
  const scope_id = freshScope();
  const typed = await registered(service);
  const payload = { secret: 'We decided to keep the payload out of Memory.' };
  await submitted(service, scope_id, observation(typed, 'one', decision, payload));
  expect(await flush(scope_id)).toMatchObject({ status: 'processed', processed_source_count: 1 });
  const entries = await entriesOf(scope_id);
  expect(entries.map(({ text }) => text)).toEqual([decision]);
  const found = await service.call('search_memory', { body: { scope_id, query: 'first reminder' } });
  expect(found.body.hits).toMatchObject([{ text: decision }]);
  const { citation } = entries[0] ?? {};
  const read = await service.send('POST', '/v1/memory/entries/get', { scope_id, citation });
  expect(read.text).toContain(JSON.stringify([{ name: typed.name, source_id: 'one' }]));
});

test('spec 10 §9.2.5, spec 20 F6: an observation without text evidence is kept, cited, and passed over', async () => {
  const scope_id = freshScope();
  const silent = await registered(service, { projections: [] });
  const quiet = { ...observation(silent, 'one', decision), projections: [] };
  expect(await submitted(service, scope_id, quiet)).toBe(1);
  expect(await flush(scope_id)).toMatchObject({
    status: 'idle',
    processed_source_count: 0,
    high_watermark: 1,
  });
  const pending = await query(
    service.databaseUrl,
    'SELECT l.pending_since FROM scopes c JOIN source_sequences l USING (tenant_id, scope_key) WHERE c.scope_id = $1',
    [scope_id],
  );
  expect(pending).toEqual([{ pending_since: null }]);
  await capture(service, scope_id, 'two', 'We decided to stop after day fourteen.');
  expect(await flush(scope_id)).toMatchObject({ processed_source_count: 1, current_cursor: 2 });
  const cited = await draftFrom(scope_id, [{ name: silent.name, source_id: 'one' }, content('two')]);
  expect(JSON.stringify(cited.body.state)).not.toContain('day three');
});

const content = (source_id: string): SourceRef => ({ name: 'content', source_id });

function draftFrom(scope_id: string, refs: SourceRef[]) {
  const evidence = refs.map((source_ref) => ({ kind: 'source' as const, source_ref }));
  return service.call('prepare_handoff', { body: { scope_id, objective: 'Send reminders.', evidence } });
}

test('spec 10 §9.2.5: a draft quotes the text evidence of an observation that it cites', async () => {
  const scope_id = freshScope();
  const typed = await registered(service);
  await submitted(service, scope_id, observation(typed, 'one', decision, { note: 'Only in the payload.' }));
  const source_ref = { name: typed.name, source_id: 'one' };
  const { body } = await draftFrom(scope_id, [source_ref]);
  expect(body.state).toMatchObject([{ text: decision, citations: [{ kind: 'source', source_ref }] }]);
  const missing = await service.call('prepare_handoff', {
    body: {
      scope_id,
      objective: 'Send reminders.',
      evidence: [{ kind: 'source', source_ref: { ...source_ref, source_id: 'two' } }],
    },
  });
  expect(missing.error).toMatchObject({ code: 'handoff_evidence_not_found' });
});

test('spec 10 §9.2.4: an observation is flushed by itself, as a capture is', async () => {
  const scope_id = freshScope();
  const typed = await registered(automatic);
  await submitted(automatic, scope_id, observation(typed, 'one', decision));
  await waitUntil(async () => {
    const { body } = await automatic.call('list_memory_entries', { body: { scope_id } });
    return body.entries.some(({ text }) => text === decision);
  });
});
