import { scopePath } from '@continuity/shared/handlers';
import { waitUntil } from '@continuity/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { artifactCalls, etagOf, memoryContentOf } from '../support/artifacts.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let artifact: ReturnType<typeof artifactCalls>;

beforeAll(async () => {
  service = await startService();
  artifact = artifactCalls(service);
});

afterAll(() => service.stop());

const memoryPath = (scope: string, id = 'memory') => scopePath(scope, 'artifacts', 'memory', id);

/** A Memory of the texts: its tag and the id of each text. */
async function start(scope: string, ...texts: string[]) {
  const created = await artifact.create(scope, artifact.facts(...texts));
  const ids = await artifact.idsByText(scope);
  return { etag: etagOf(created), idOf: (text: string) => ids.get(text) ?? '' };
}

test('spec 10 scenario 12: entries that Replace does not name stay, and revision 1 reads byte-equal as before', async () => {
  const { etag, idOf } = await start('twelve', 'Retry three times.', 'Never delete invoices.');
  const before = await service.send('GET', `${memoryPath('twelve')}/revisions/1`);
  const replaced = await artifact.replace('twelve', etag, [
    { kind: 'fact', text: 'Retry five times.', entry_id: idOf('Retry three times.') },
    { kind: 'fact', text: 'Void them instead.', entry_id: null },
  ]);
  expect(replaced.status).toBe(200);
  expect(replaced.body).toMatchObject({ revision: 2, artifacts: [] });
  const { manifest, changes } = memoryContentOf(replaced);
  expect(manifest.entries.map(({ state }) => state)).toEqual(['active', 'active', 'active']);
  const first = JSON.parse(before.text).content.manifest.entries;
  expect(manifest.entries[1]).toEqual(first[1]);
  expect(changes).toMatchObject([
    { op: 'revise', from_entry_version_id: first[0].entry_version_id, reason: null },
    { op: 'add', from_entry_version_id: null, reason: null },
  ]);
  expect(await artifact.found('twelve', 'delete invoices')).toHaveLength(1);
  expect(await artifact.found('twelve', 'retry')).toEqual(['Retry five times.']);
  expect((await service.send('GET', `${memoryPath('twelve')}/revisions/1`)).text).toBe(before.text);
  expect(replaced.body.sources).toHaveLength(1);
  const source = await service.call('get_source', {
    params: {
      scope_id: 'twelve',
      source_type: 'content',
      source_id: replaced.body.sources[0]?.source_id ?? '',
    },
  });
  expect(source.body.content).toMatchObject({ entries: [{ text: 'Retry five times.' }, { entry_id: null }] });
  expect(source.body.position).toBe(2);
});

test('Replace and a later read give the same answer', async () => {
  const { etag, idOf } = await start('same', 'one', 'two', 'three');
  const replaced = await artifact.replace('same', etag, [
    { kind: 'decision', text: 'one', entry_id: idOf('one') },
    { kind: 'fact', text: 'four' },
  ]);
  await artifact.remember('same', 'five');
  const read = await artifact.revision('same', 2);
  expect(read.body).toEqual(replaced.body);
  expect(etagOf(read)).toBe(etagOf(replaced));
});

test('spec 10 scenario 13: exactly one of 20 concurrent Replaces with one tag succeeds', async () => {
  const { etag } = await start('race', 'base');
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      artifact.replace('race', etag, artifact.facts(`replaced ${index}`)),
    ),
  );
  const head = await artifact.head('race');
  expect(head.body.revision).toBe(2);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  const lost = replies.filter(({ status }) => status === 412);
  expect(lost).toHaveLength(19);
  for (const { error } of lost) {
    expect(error?.details).toEqual({
      current: { family: 'memory', artifact_id: 'memory', revision: 2 },
      current_etag: etagOf(head),
    });
  }
  expect(await artifact.nextPosition('race')).toBe(3);
});

test('under concurrent Replace, remember, revise and retire, each revision has one writer', async () => {
  const { etag, idOf } = await start('writers', 'base');
  const head = await artifact.head('writers');
  const [entry] = memoryContentOf(head).manifest.entries;
  const citation = {
    memory_ref: { family: 'memory', artifact_id: 'memory', revision: 1 },
    entry_id: idOf('base'),
    entry_version_id: entry?.entry_version_id ?? '',
  };
  const replaces = Array.from({ length: 6 }, (_, index) =>
    artifact.replace('writers', etag, artifact.facts(`r${index}`)),
  );
  const revises = Array.from({ length: 6 }, (_, index) =>
    service.call('revise_memory_entry', {
      body: { scope_id: 'writers', citation, kind: 'fact', text: `v${index}` },
    }),
  );
  const retires = Array.from({ length: 3 }, () =>
    service.call('retire_memory_entry', { body: { scope_id: 'writers', citation } }),
  );
  const remembers = Array.from({ length: 6 }, (_, index) => artifact.remember('writers', `m${index}`));
  const locked = await Promise.all([...replaces, ...revises, ...retires]);
  await Promise.all(remembers);
  const winners = locked.filter(({ status }) => status === 200).length;
  expect(winners).toBeLessThanOrEqual(1);
  expect(locked.every(({ status }) => [200, 409, 412].includes(status))).toBe(true);
  const { body } = await service.call('list_memory_changes', {
    body: { scope_id: 'writers', since_revision: 0 },
  });
  expect(body.revisions).toHaveLength(1 + winners + 6);
  expect(body.memory?.revision).toBe(1 + winners + 6);
});

test('a Replace whose head moves while it waits is 412 with the new tag, and leaves no Source', async () => {
  const { etag } = await start('moved', 'base');
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(
      "SELECT FROM source_sequences JOIN scopes USING (tenant_id, scope_key) WHERE scope_id = 'moved' FOR UPDATE OF source_sequences",
    );
    const waiting = artifact.replace('moved', etag, artifact.facts('too late'));
    await waitUntil(async () => {
      const { rows } = await holder.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    });
    await artifact.remember('moved', 'in time');
    await holder.query('ROLLBACK');
    const reply = await waiting;
    expect([reply.status, reply.error?.details]).toEqual([
      412,
      {
        current: { family: 'memory', artifact_id: 'memory', revision: 2 },
        current_etag: etagOf(await artifact.head('moved')),
      },
    ]);
    expect(await artifact.nextPosition('moved')).toBe(2);
  } finally {
    await holder.end();
  }
});

describe('spec 10 scenario 14: preconditions', () => {
  let etag: string;
  let otherTag: string;

  beforeAll(async () => {
    ({ etag } = await start('pre', 'base'));
    otherTag = etagOf(await artifact.create('pre', artifact.facts('base')));
  });

  const put = (
    headers: Record<string, string>,
    body: unknown = { content: { entries: artifact.facts('new') } },
  ) => service.send('PUT', memoryPath('pre'), body, headers);

  test('Replace without If-Match is 428, even with an invalid body', async () => {
    for (const headers of [{}, { 'If-Match': '' }, { 'If-Match': '  ' }]) {
      for (const body of [undefined, { content: 1 }, '{"broken']) {
        expect((await put(headers, body)).status).toBe(428);
      }
    }
    expect((await service.send('PUT', memoryPath('pre', 'x'.repeat(129)), {})).status).toBe(422);
  });

  test('any tag but the current one is 412', async () => {
    const hash = etag.slice(3, -1);
    const stale = [
      '*',
      `W/${etag}`,
      etag.slice(1, -1),
      `"1-${hash.toUpperCase().replace(/^./, '_')}"`,
      `"2-${hash}"`,
      otherTag,
      `${otherTag}, W/${etag}`,
      `${etag} ${etag}`,
      `garbage, ${etag.slice(0, -1)}`,
    ];
    for (const tag of stale) {
      const reply = await put({ 'If-Match': tag });
      expect([reply.status, tag]).toEqual([412, tag]);
      expect(reply.json).toMatchObject({
        error: { details: { current: { artifact_id: 'memory', revision: 1 }, current_etag: etag } },
      });
    }
    expect((await artifact.head('pre')).body.revision).toBe(1);
  });

  test('an unknown Artifact is 404 before the precondition, and no Scope is created', async () => {
    expect((await artifact.replace('nowhere', '"1-x"', artifact.facts('x'))).status).toBe(404);
    expect((await artifact.replace('pre', etag, artifact.facts('x'), 'unknown')).status).toBe(404);
    const other = scopePath('pre', 'artifacts', 'experience', 'memory');
    const content = { situation: 's', action: 'a', outcome: 'o', lesson: 'l' };
    const experience = await service.send('PUT', other, { content }, { 'If-Match': etag });
    expect(experience.json).toMatchObject({ error: { code: 'artifact_not_found' } });
  });

  test('the precondition is checked before the entries of the head', async () => {
    const reply = await artifact.replace('pre', '"9-0"', [{ kind: 'fact', text: 'x', entry_id: 'unknown' }]);
    expect(reply.status).toBe(412);
  });

  test('If-None-Match of the head is 304 with an empty body, and 200 after a Replace', async () => {
    const matching = [etag, `W/${etag}`, '*', `"other", W/"more" ,${etag}`, ` , ${etag},`];
    for (const tag of matching) {
      const reply = await service.send('GET', memoryPath('pre'), undefined, { 'If-None-Match': tag });
      expect([reply.status, reply.text, reply.headers.get('etag')]).toEqual([304, '', etag]);
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    }
    for (const tag of ['"other"', etag.slice(1, -1), `"1-0"`]) {
      expect((await artifact.head('pre', 'memory', { 'If-None-Match': tag })).status).toBe(200);
    }
    const replaced = await artifact.replace('pre', `"stale", ${etag}`, artifact.facts('second'));
    expect(replaced.status).toBe(200);
    const fresh = await artifact.head('pre', 'memory', { 'If-None-Match': etag });
    expect([fresh.status, etagOf(fresh)]).toEqual([200, etagOf(replaced)]);
    expect(fresh.headers.get('cache-control')).toBe('private, no-cache');
  });
});

describe('spec 10 §6.3: effects of commands', () => {
  test('a Replace that changes nothing is 422, and writes neither revision nor Source', async () => {
    const { etag, idOf } = await start('nothing', 'one', 'two');
    const reply = await artifact.replace('nothing', etag, [
      { kind: 'fact', text: ' one ', entry_id: idOf('one') },
      { kind: 'fact', text: 'two' },
    ]);
    expect([reply.status, reply.error?.details]).toMatchObject([
      422,
      { issues: [{ path: 'content.entries' }] },
    ]);
    expect((await artifact.head('nothing')).body.revision).toBe(1);
    expect(await artifact.nextPosition('nothing')).toBe(2);
  });

  test('unknown and repeated entry ids are 422 at their commands', async () => {
    const { etag, idOf } = await start('unknown', 'one');
    const foreign = await start('unknown-other', 'foreign');
    const reply = await artifact.replace('unknown', etag, [
      { kind: 'fact', text: 'a', entry_id: 'no-uuid' },
      { kind: 'fact', text: 'b', entry_id: idOf('one') },
      { kind: 'fact', text: 'c', entry_id: '0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4' },
      { kind: 'fact', text: 'd', entry_id: foreign.idOf('foreign') },
    ]);
    expect(reply.status).toBe(422);
    expect(reply.error?.details['issues']).toMatchObject(
      [0, 2, 3].map((index) => ({ path: `content.entries[${index}].entry_id` })),
    );
    const twice = await artifact.replace('unknown', etag, [
      { kind: 'fact', text: 'a', entry_id: idOf('one') },
      { kind: 'fact', text: 'b', entry_id: idOf('one') },
    ]);
    expect(twice.error?.details['issues']).toMatchObject([{ path: 'content.entries[1].entry_id' }]);
    expect(await artifact.nextPosition('unknown')).toBe(2);
  });

  test('an inactive entry is 409 by its id, and active again by an equal command', async () => {
    const { idOf } = await start('inactive', 'one', 'two');
    const first = await artifact.head('inactive');
    const version = memoryContentOf(first).manifest.entries.find(({ entry_id }) => entry_id === idOf('one'));
    const retired = await service.call('retire_memory_entry', {
      body: {
        scope_id: 'inactive',
        citation: {
          memory_ref: { family: 'memory', artifact_id: 'memory', revision: 1 },
          entry_id: idOf('one'),
          entry_version_id: version?.entry_version_id ?? '',
        },
      },
    });
    expect(retired.status).toBe(200);
    const etag = etagOf(await artifact.head('inactive'));
    const named = await artifact.replace('inactive', etag, [
      { kind: 'fact', text: 'new', entry_id: idOf('one') },
    ]);
    expect([named.status, named.error?.code, named.error?.details]).toEqual([
      409,
      'memory_entry_inactive',
      { entry_id: idOf('one'), current: { family: 'memory', artifact_id: 'memory', revision: 2 } },
    ]);
    const back = await artifact.replace('inactive', etag, artifact.facts('one', 'one'));
    expect(memoryContentOf(back).changes).toEqual([
      {
        op: 'reactivate',
        entry_id: idOf('one'),
        from_entry_version_id: null,
        to_entry_version_id: version?.entry_version_id,
        reason: null,
      },
    ]);
    expect(await artifact.found('inactive', 'one')).toEqual(['one']);
  });

  test('a command sees the effects of the commands before it', async () => {
    const { etag, idOf } = await start('sequence', 'one', 'two');
    const reply = await artifact.replace('sequence', etag, [
      { kind: 'fact', text: 'uno', entry_id: idOf('one') },
      { kind: 'fact', text: 'uno' },
      { kind: 'fact', text: 'one' },
      { kind: 'fact', text: 'two' },
    ]);
    expect(memoryContentOf(reply).changes.map(({ op }) => op)).toEqual(['revise', 'add']);
    const { body } = await service.call('list_memory_entries', { body: { scope_id: 'sequence' } });
    expect(body.entries.map(({ text, version }) => [text, version])).toEqual([
      ['uno', 2],
      ['two', 1],
      ['one', 1],
    ]);
  });

  test('a second Memory is replaced independently, and search finds it', async () => {
    await start('further', 'scope memory');
    const created = await artifact.create('further', artifact.facts('further memory'));
    const id = created.body.artifact_id;
    const replaced = await artifact.replace('further', etagOf(created), artifact.facts('scope memory'), id);
    expect([replaced.status, replaced.body.artifact_id, replaced.body.revision]).toEqual([200, id, 2]);
    expect(await artifact.found('further', 'memory')).toEqual([
      'further memory',
      'scope memory',
      'scope memory',
    ]);
    expect((await artifact.head('further')).body.revision).toBe(1);
  });

  test('a Replace in a Scope without Sources writes its first Source', async () => {
    await artifact.remember('sourceless', 'remembered');
    const etag = etagOf(await artifact.head('sourceless'));
    const replaced = await artifact.replace('sourceless', etag, artifact.facts('replaced'));
    expect(replaced.status).toBe(200);
    expect(await artifact.nextPosition('sourceless')).toBe(2);
  });
});
