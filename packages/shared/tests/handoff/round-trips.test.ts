import type { Citation } from '@continuity/contract';
import { citeArtifact, citeSource } from '@continuity/contract/evidence';
import type { HandoffContent } from '@continuity/contract/handoff';
import { newId } from '@continuity/kernel/text';
import { beforeAll, expect, test } from 'vitest';
import { findEvidence } from '../../src/evidence/index.ts';
import { commitHandoff } from '../../src/handoff/commit.ts';
import { findActivation } from '../../src/handoff/generation/activation-cursor.ts';
import { readEvidence } from '../../src/handoff/generation/read-evidence.ts';
import { prepare, resolveHandoff } from '../../src/handoff/index.ts';
import { statementsOf } from '../support/count-statements.ts';
import { openOwnDatabase } from '../support/database.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('round-trips');
const scopeId = 'full of evidence';
/** Of each kind; together more than the 2,048 Citations of 64 statements of 32. */
const many = 700;
const entries = Array.from({ length: many }, () => ({ entry: newId(), version: newId() }));

beforeAll(async () => {
  await keepVacuumAway(database.pool);
  // Other Scopes, so that no table is small enough to be read from end to end.
  await database.pool.query(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) SELECT $1, 'other ' || n, 'other', ''
       FROM generate_series(1, 3000) AS n RETURNING scope_key
     )
     INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id) SELECT $1, scope_key, 'memory', 'memory' FROM scope`,
    [tenantId],
  );
  await database.pool.query(
    `WITH scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) VALUES ($1, $2, 'title', 'summary') RETURNING scope_key
     ), source AS (
       INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible)
       SELECT $1, scope_key, n, 'content', 'source ' || n, '"x"', '', true FROM scope, generate_series(1, 20000) AS n
     ), artifact AS (
       INSERT INTO artifacts (tenant_id, scope_key, family, artifact_id, head_revision)
       SELECT $1, scope_key, family, id, 20000 FROM scope,
         (VALUES ('experience', 'lesson'), ('memory', 'memory')) AS a(family, id)
       RETURNING artifact_key, family, scope_key
     ), entry AS (
       SELECT a.artifact_key, a.scope_key, e.*, row_number() OVER () AS n
       FROM artifact a, unnest($3::uuid[], $4::uuid[]) AS e(entry_id, entry_version_id) WHERE a.family = 'memory'
     ), version AS (
       INSERT INTO memory_versions
         (tenant_id, artifact_key, entry_id, version, entry_version_id, kind, text, content_hash)
       SELECT $1, artifact_key, entry_id, 1, entry_version_id, 'fact', 'x', '' FROM entry
     )
     INSERT INTO memory_states
       (tenant_id, artifact_key, entry_id, valid_from, version, active, scope_key, equality_hash)
     SELECT $1, artifact_key, entry_id, n, 1, true, scope_key, 0 FROM entry`,
    [tenantId, scopeId, entries.map(({ entry }) => entry), entries.map(({ version }) => version)],
  );
});

const memoryRef = { family: 'memory', artifact_id: 'memory', revision: many };

/** The `n`th of a row of Citations in which the kinds alternate. */
function citationAt(n: number): Citation {
  const at = Math.floor(n / 3);
  if (n % 3 === 0) return citeSource({ name: 'content', source_id: `source ${at + 1}` });
  if (n % 3 === 1) return citeArtifact({ family: 'experience', artifact_id: 'lesson', revision: at + 1 });
  const { entry = '', version = '' } = entries[at] ?? {};
  const citation = { memory_ref: memoryRef, entry_id: entry, entry_version_id: version };
  return { kind: 'memory', memory_citation: citation };
}

function contentOf(statements: number, citations: number): HandoffContent {
  const state = Array.from({ length: statements }, (_, index) => ({
    text: `Statement ${index}.`,
    citations: Array.from({ length: citations }, (_each, n) => citationAt(index * citations + n)),
  }));
  return {
    schema: 'service.handoff.v1',
    objective: 'Carry on.',
    state,
    disposition: 'continuable',
    next_action: null,
    omissions: [],
  };
}

const place = () => ({ tenantId, scopeId });

test('continue of 64 statements of 32 Citations takes at most six round trips', async () => {
  const prepared = prepare(scopeId, undefined, contentOf(64, 32));
  const resume = () => resolveHandoff(database, place(), { selection: 'prepared', prepared });
  expect(await statementsOf(database, resume)).toBeLessThanOrEqual(6);
  const { evidence_checks } = await resume();
  expect(evidence_checks.map(({ status }) => status)).toEqual(Array(64).fill('available'));
});

test('commit of 64 statements of 32 Citations takes as many statements as one of 2 of 3', async () => {
  const small = prepare(scopeId, undefined, contentOf(2, 3));
  const few = await statementsOf(database, () => commitHandoff(database, place(), small));
  const large = prepare(scopeId, 1, contentOf(64, 32));
  const many = await statementsOf(database, () => commitHandoff(database, place(), large));
  expect(many).toBe(few);
  expect(many).toBeLessThanOrEqual(6);
});

test('evidence is looked up by its keys, also before the database has statistics', async () => {
  const cited = Array.from({ length: 96 }, (_, n) => citationAt(n));
  const lookUp = () => findEvidence(database.sql, place(), cited);
  // Enough for the server to have settled on a plan.
  for (let run = 0; run < 8; run += 1) await lookUp();
  const { scannedRows, blocks } = await readsOf(database, 1, lookUp);
  expect(scannedRows).toBe(0);
  expect(blocks).toBeLessThan(96 * 12);
});

test('cited Sources are read, and a boundary is found, by their keys in a Scope of 20,000', async () => {
  const cited = Array.from({ length: 32 }, (_, n) =>
    citeSource({ name: 'content', source_id: `source ${n + 1}` }),
  );
  const boundary = { name: 'content', source_id: 'source 19999' };
  const read = async () => {
    expect(await readEvidence(database.sql, place(), cited)).toHaveLength(32);
    await findActivation(database.sql, place(), boundary);
  };
  for (let run = 0; run < 8; run += 1) await read();
  const { scannedRows, blocks } = await readsOf(database, 1, read);
  expect(scannedRows).toBe(0);
  expect(blocks).toBeLessThan(65 * 12);
});
