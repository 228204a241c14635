import { openDatabase, type TenantId } from '@continuity/kernel/database';
import { ensureTenant } from '@continuity/shared/tenants';
import { createDatabase } from '@continuity/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createArtifact } from '../src/artifacts/create.ts';
import { publishArtifact } from '../src/artifacts/publish.ts';
import { replaceArtifact } from '../src/artifacts/replace.ts';
import { findHeads } from '../src/artifacts/store.ts';
import { searchExperiences } from '../src/experience/index.ts';
import { families } from '../src/families/index.ts';
import { AnalyzedQuery, CorpusCache, hashTerm } from '../src/search/index.ts';
import { keepVacuumAway, readsOf } from './support/table-reads.ts';

const source = await createDatabase();
const cache = new CorpusCache();
const database = openDatabase({ url: source.url, size: 1, name: 'documents', onIdleError: () => undefined });
const scopeId = 'large';
/** Heads of the Scope beside those that are written through the operations; all hold the word `common`. */
const many = 20_000;
let tenantId: TenantId;

const content = (lesson: string) => ({ situation: 'common', action: 'common', outcome: 'common', lesson });
const skill = { name: 'a', description: 'Does common things.', instructions: 'Do them.', validation: [] };

const create = (scope: string, body: Parameters<typeof createArtifact>[1]['body']) =>
  createArtifact({ database, families }, { tenantId, scopeId: scope, idempotencyKey: undefined, body });

beforeAll(async () => {
  tenantId = await ensureTenant(database, 'default');
  await keepVacuumAway(database.pool);
  await create(scopeId, { family: 'experience', content: content('needle') });
  await create('target', { family: 'experience', content: content('first') });
  const word = hashTerm({ tenantId, scopeId, kind: 'experience' }, 'common');
  await database.pool.query(
    `WITH scope AS (SELECT scope_key FROM scopes WHERE scope_id = $2), artifact AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision)
       SELECT $1, scope_key, 'experience', 'filled ' || n, 1 FROM scope, generate_series(1, $4::int) AS n
       RETURNING artifact_key, scope_key
     ), revision AS (
       INSERT INTO artifact_revisions (tenant_id, artifact_key, revision, content, content_digest)
       SELECT $1, artifact_key, 1, '{}', '' FROM artifact
     ), projection AS (
       INSERT INTO document_projections (tenant_id, artifact_key, scope_key, terms, term_frequencies, length)
       SELECT $1, artifact_key, scope_key, ARRAY[$3::bigint], '{1}', 10 FROM artifact
     ), totals AS (
       UPDATE document_totals t SET documents = documents + $4, total_length = total_length + 10 * $4::int, entered = entered + $4
       FROM scope WHERE t.scope_key = scope.scope_key
     )
     UPDATE document_terms t SET documents = documents + $4 FROM scope WHERE t.scope_key = scope.scope_key AND term = $3`,
    [tenantId, scopeId, word, many],
  );
});

afterAll(async () => {
  await database.close();
  await source.drop();
});

async function makeHead() {
  const { body, etag } = await create(scopeId, { family: 'experience', content: content('to replace') });
  return { artifactId: body.artifact_id, etag };
}

const operations: [string, number, () => Promise<(run: number) => Promise<unknown>>][] = [
  [
    'Create of an Experience',
    250,
    async () => (run) => create(scopeId, { family: 'experience', content: content(`new ${run}`) }),
  ],
  ['Create of a Skill', 250, async () => () => create(scopeId, { family: 'skill', content: skill })],
  [
    'Replace of an Experience',
    250,
    async () => {
      const head = await makeHead();
      return async (run) => {
        const address = { tenantId, scopeId, family: 'experience' as const, artifactId: head.artifactId };
        const next = content(`replaced ${run}`);
        ({ etag: head.etag } = await replaceArtifact(
          { database, families },
          {
            address,
            ifMatch: head.etag,
            content: next,
          },
        ));
      };
    },
  ],
  [
    'publication of an Experience',
    250,
    async () => {
      const { artifactId } = await makeHead();
      const artifact = { family: 'experience' as const, artifact_id: artifactId, revision: 1 };
      const published = { scope_id: scopeId, artifact };
      return (run) =>
        publishArtifact({ database, families }, tenantId, {
          source: published,
          target_scope_id: 'target',
          idempotency_key: `key ${run}`,
        });
    },
  ],
  [
    'list of 51 Experiences',
    400,
    async () => () => findHeads(database, { tenantId, scopeId, family: 'experience' }, 'filled 1', 51),
  ],
  [
    'search for a rare word',
    60,
    async () => () =>
      searchExperiences(database.sql, cache, {
        tenantId,
        scopeId,
        query: new AnalyzedQuery('needle'),
        limit: 8,
      }),
  ],
];

test.each(operations)(
  '%s reads by index alone, however large the Scope is',
  async (_name, blocks, prepare) => {
    const operation = await prepare();
    await operation(-1);
    const reads = await readsOf(database, 5, operation);
    expect(reads.scannedRows).toBeLessThan(50);
    expect(reads.blocks).toBeLessThan(blocks);
  },
);

test('a word that all documents have finds some of the newest, at no higher cost', async () => {
  const search = () =>
    searchExperiences(database.sql, cache, {
      tenantId,
      scopeId,
      query: new AnalyzedQuery('common'),
      limit: 8,
    });
  expect((await search()).length).toBeGreaterThan(0);
  const reads = await readsOf(database, 3, search);
  expect(reads.scannedRows).toBeLessThan(50);
});
