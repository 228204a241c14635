import { readFile } from 'node:fs/promises';
import { openDatabase } from '@continuity/kernel/database';
import { canonicalJson } from '@continuity/kernel/json';
import { createDatabase } from '@continuity/testing';
import { afterAll, expect, test } from 'vitest';
import { sourceTokens } from '../../src/sources/source.ts';

const source = await createDatabase();
const database = openDatabase({ url: source.url, size: 1, name: 'tokens', onIdleError: () => undefined });

afterAll(async () => {
  await database.close();
  await source.drop();
});

const migration = new URL(
  '../../../../prisma/migrations/20261120054000_source_tokens/migration.sql',
  import.meta.url,
);

const contents = [
  '',
  'plain',
  'x'.repeat(200_000),
  'a "quoted" \\ word\n\t\u0001\u007f\u0080',
  '我们决定',
  'é\u{1F9E0}\u2028 mixed',
  `${'e\u0301'.repeat(999)}x`,
  null,
  true,
  12.5,
  [],
  { b: 'é', a: ['"', { deep: '記' }] },
].map((content) => canonicalJson(content));

test('spec 20 P13: the migration gives Sources that were there the tokens that new ones get', async () => {
  await database.pool.query(
    `WITH tenant AS (INSERT INTO tenants (name) VALUES ('of old') RETURNING tenant_id),
     scope AS (
       INSERT INTO scopes (tenant_id, scope_id, title, summary) SELECT tenant_id, 's', 's', 's' FROM tenant
       RETURNING tenant_id, scope_key
     )
     INSERT INTO sources (tenant_id, scope_key, position, source_type, source_id, content, content_digest, eligible)
     SELECT tenant_id, scope_key, n, 'content', n::text, content, '', true
     FROM scope, unnest($1::text[]) WITH ORDINALITY AS c(content, n)`,
    [contents],
  );
  const text = await readFile(migration, 'utf8');
  await database.pool.query(text.slice(text.indexOf('UPDATE sources')));
  const { rows } = await database.pool.query<{ tokens: number }>(
    'SELECT tokens FROM sources ORDER BY position',
  );
  expect(rows.map(({ tokens }) => tokens)).toEqual(contents.map(sourceTokens));
});
