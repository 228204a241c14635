import type { SourceDefinitionManifest, SourceObservation } from '@continuity/contract/connectors';
import { asDigest, digestHex, type JsonValue } from '@continuity/kernel/json';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareManifest } from '../../src/connectors/bodies/manifest.ts';
import { prepareObservation } from '../../src/connectors/bodies/observation.ts';
import { registerDefinition } from '../../src/connectors/definitions.ts';
import { openConnectors } from '../../src/connectors/index.ts';
import { submitObservation } from '../../src/connectors/observations/submit.ts';
import { readWindow } from '../../src/memory/flush/window.ts';
import { textEvidence } from '../../src/sources/index.ts';
import { listSourceTypes } from '../../src/sources/source.ts';
import { statementsOf } from '../support/count-statements.ts';
import { openOwnDatabase } from '../support/database.ts';
import { keepVacuumAway, readsOf } from '../support/table-reads.ts';

const { database, tenantId } = await openOwnDatabase('round-trips');
const connectors = openConnectors(database);
const scopeId = 'observed';

const manifest = withFingerprint({
  name: 'ticket',
  version: '1',
  source_schema: { type: 'object' },
  projections: [{ key: textEvidence, schema: {} }],
});

beforeAll(async () => {
  await keepVacuumAway(database.pool);
  await registerTicket();
  await submit('first');
});

afterAll(() => connectors.close());

function withFingerprint(named: Omit<SourceDefinitionManifest, 'fingerprint'>): SourceDefinitionManifest {
  return { ...named, fingerprint: asDigest(digestHex(named as JsonValue)) };
}

function registerTicket(): Promise<void> {
  return registerDefinition(database, connectors.schemaValidator, tenantId, prepareManifest({ manifest }));
}

function submit(name: string): Promise<number> {
  const envelope = { name, definition_version: '1', materialization: 'captured' as const };
  const value = { source_type: 'ticket', source_id: name, content: `Text of ${name}.`, metadata: {} };
  const observation: SourceObservation = {
    ...envelope,
    source_type: 'ticket',
    definition_fingerprint: manifest.fingerprint,
    payload: envelope,
    projections: [{ key: textEvidence, value }],
  };
  const prepared = prepareObservation({ scope_id: scopeId, observation });
  return submitObservation(
    { database, flushDelay: null, ...connectors },
    tenantId,
    scopeId,
    prepared.observation,
  );
}

test('an observation takes one statement, as a capture does, and so does its repeat', async () => {
  expect(await statementsOf(database, () => submit('second'))).toBe(1);
  expect(await statementsOf(database, () => submit('second'))).toBe(1);
});

test('a registered manifest is registered again by one statement', async () => {
  expect(await statementsOf(database, registerTicket)).toBe(1);
});

test('types are listed without reading the versions of each', async () => {
  await database.pool.query(
    `INSERT INTO source_definitions (tenant_id, name, version, fingerprint, manifest)
     SELECT $1, 'type ' || n % 3, n, '', '{}' FROM generate_series(1, 30000) AS n`,
    [tenantId],
  );
  await database.pool.query('ANALYZE source_definitions');
  const list = () => listSourceTypes(database.sql, tenantId);
  expect(await list()).toEqual(['ticket', 'type 0', 'type 1', 'type 2']);
  for (let run = 0; run < 8; run += 1) await list();
  const { scannedRows, blocks } = await readsOf(database, 1, list);
  expect(scannedRows).toBe(0);
  expect(blocks).toBeLessThan(60);
});

test('a window of observations reads the text evidence of its Sources alone', async () => {
  await database.pool.query(
    `WITH scope AS (SELECT scope_key FROM scopes WHERE tenant_id = $1 AND scope_id = $2),
     source AS (
       INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible, observation_digest)
       SELECT $1, scope_key, n, 'ticket', n, '"payload"', '', true, '' FROM scope, generate_series(10, 20000) AS n
       RETURNING scope_key, position
     )
     INSERT INTO source_projections (tenant_id, scope_key, position, name, version, value)
     SELECT $1, scope_key, position, name, '1', '{"content":"It is \\u00fc \\"quoted\\"."}'
     FROM source, unnest(ARRAY['another', $3]) AS name`,
    [tenantId, scopeId, textEvidence.name],
  );
  await database.pool.query('UPDATE source_sequences SET extraction_cursor = 5000');
  const read = () => readWindow(database.sql, tenantId, scopeId, 100);
  for (let run = 0; run < 8; run += 1) await read();
  const { scannedRows, blocks } = await readsOf(database, 1, read);
  expect(scannedRows).toBe(0);
  expect(blocks).toBeLessThan(100 * 12);
  const window = await read();
  expect(window?.sources).toHaveLength(100);
  const [first] = window?.sources ?? [];
  expect([first?.position, JSON.parse(first?.json ?? '')]).toEqual([5001, 'It is ü "quoted".']);
});
