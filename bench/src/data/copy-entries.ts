import { runInSlices } from '@continuity/kernel/fairness';
import { batchSize, firstBatchTerm, projectTexts } from '@continuity/shared/search';
import type pg from 'pg';
import type { ScopeHead } from '../load/record-remember.ts';
import { rebuildTermIndexAfter } from './rebuild-index.ts';

/** A word for each round of copies that no generated text has. It makes the copies of a text different ones. */
const markers = [...'aeiou'].flatMap((first) =>
  [...'bdfgklmnpt'].flatMap((consonant) => [`Kw${first}${consonant}a`, `Kw${first}${consonant}o`]),
);

/**
 * Multiplies the entries of a Scope by up to 100: each text again with one more word, as if each had been remembered after the others. The
 * Scope must have one revision and one active entry for each remember, and ASCII texts without quotes. PostgreSQL makes the rows, which
 * is faster than to send them; a test compares them with those of the service.
 */
export async function multiplyEntries(databaseUrl: string, head: ScopeHead, factor: number): Promise<void> {
  const rounds = markers.slice(0, factor - 1);
  if (rounds.length !== factor - 1) throw new Error(`${factor} is not between 1 and ${markers.length + 1}.`);
  await rebuildTermIndexAfter(databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query('SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off');
    const copied = { entries: head.headRevision, values: [head.tenantId, head.scopeKey, head.artifactKey] };
    await client.query(
      `CREATE TEMP TABLE originals AS
       SELECT entry_id, valid_from, kind, text
       FROM memory_states s JOIN memory_versions USING (tenant_id, artifact_key, entry_id, version)
       WHERE s.tenant_id = $1 AND s.artifact_key = $2 AND s.valid_to IS NULL`,
      [head.tenantId, head.artifactKey],
    );
    await client.query(
      'CREATE TEMP TABLE copied (from_id uuid, entry_id uuid, valid_from int, kind text, text text)',
    );
    for (const [index, word] of rounds.entries()) await copyOnce(client, head, copied, index + 1, word);
    await finish(client, head, copied, rounds);
    await client.query('COMMIT');
  });
  head.headRevision *= factor;
}

interface Copied {
  /** Entries and revisions before the first copy. */
  entries: number;
  /** Of all statements: tenant, Scope and Artifact. */
  values: unknown[];
}

async function copyOnce(
  client: pg.Client,
  head: ScopeHead,
  { entries, values }: Copied,
  round: number,
  word: string,
): Promise<void> {
  const { term } = await termOf(head, word);
  const offset = round * entries;
  await client.query('TRUNCATE copied');
  await client.query(
    `INSERT INTO copied SELECT entry_id, uuidv7(), valid_from, kind, text || $1 FROM originals ORDER BY valid_from`,
    [` ${word}.`],
  );
  await client.query(
    `INSERT INTO artifact_revisions (tenant_id, artifact_key, revision, sources, artifacts)
     SELECT tenant_id, artifact_key, revision + $4, sources, artifacts FROM artifact_revisions
     WHERE tenant_id = $1 AND artifact_key = $2 AND revision <= $3`,
    [values[0], values[2], entries, offset],
  );
  await client.query(
    `INSERT INTO memory_versions
       (tenant_id, artifact_key, entry_id, version, entry_version_id, kind, text, source_refs, artifact_refs, content_hash, place)
     SELECT v.tenant_id, v.artifact_key, c.entry_id, 1, uuidv7(), c.kind, c.text, v.source_refs, v.artifact_refs,
       sha256(convert_to(format('{"artifact_refs":[],"kind":"%s","source_refs":[],"text":"%s"}', c.kind, c.text), 'UTF8')),
       v.place + $3
     FROM copied c JOIN memory_versions v ON v.tenant_id = $1 AND v.artifact_key = $2 AND v.entry_id = c.from_id
     ORDER BY c.valid_from`,
    [values[0], values[2], offset],
  );
  await client.query(
    `INSERT INTO memory_changes
       (tenant_id, artifact_key, revision, entry_id, op, from_version, to_version, reason, source_watermark)
     SELECT h.tenant_id, h.artifact_key, h.revision + $3, c.entry_id, h.op, h.from_version, h.to_version, h.reason, h.source_watermark
     FROM copied c JOIN memory_changes h ON h.tenant_id = $1 AND h.artifact_key = $2 AND h.revision = c.valid_from
     ORDER BY c.valid_from`,
    [values[0], values[2], offset],
  );
  await client.query(
    `INSERT INTO memory_states
       (tenant_id, artifact_key, entry_id, valid_from, version, active, scope_key, equality_hash, terms, term_frequencies, length)
     SELECT s.tenant_id, s.artifact_key, c.entry_id, s.valid_from + $4, 1, true, s.scope_key,
       ('x' || left(encode(sha256(convert_to(format('["%s","%s"]', c.kind, c.text), 'UTF8')), 'hex'), 13))::bit(52)::bigint,
       s.terms[:p.before] || $3::bigint || s.terms[p.before + 1 : p.last - 1] || b.term,
       s.term_frequencies[:p.before] || 1::smallint || s.term_frequencies[p.before + 1 :], s.length + 1
     FROM copied c
     JOIN memory_states s ON s.tenant_id = $1 AND s.artifact_key = $2 AND s.entry_id = c.from_id AND s.valid_to IS NULL
     CROSS JOIN LATERAL (SELECT cardinality(s.terms) AS last) AS l
     CROSS JOIN LATERAL (SELECT l.last, width_bucket($3::bigint, s.terms[: l.last - 1]) AS before) AS p
     CROSS JOIN LATERAL (SELECT $5::bigint + (s.valid_from + $4 - 1) / $6::int AS term) AS b
     ORDER BY c.valid_from`,
    [values[0], values[2], term, offset, firstBatchTerm(head), batchSize],
  );
}

/** The counters and the head after all copies. A batch of texts has as many as `memory_states` says. */
async function finish(
  client: pg.Client,
  head: ScopeHead,
  { entries, values }: Copied,
  words: readonly string[],
): Promise<void> {
  const factor = words.length + 1;
  const first = firstBatchTerm(head);
  const batches = [first, first + Math.floor((entries * factor) / batchSize)];
  const marked = await Promise.all(words.map((word) => termOf(head, word)));
  const languages = marked.reduce((all, one) => all | one.languages, 0);
  await client.query(
    `UPDATE artifacts SET head_revision = head_revision * $4::int, placed_revision = placed_revision * $4::int,
       last_place = last_place * $4::int
     WHERE tenant_id = $1 AND scope_key = $2 AND artifact_key = $3`,
    [...values, factor],
  );
  await client.query(
    `UPDATE memory_totals SET active_entries = active_entries * $3::int, entered = entered * $3::int,
       total_length = total_length * $3::int + active_entries * ($3::int - 1), analyzed_v2 = analyzed_v2 * $3::int,
       placed = placed * $3::int, languages = languages | $4::int
     WHERE tenant_id = $1 AND scope_key = $2`,
    [values[0], values[1], factor, languages],
  );
  await client.query(
    'UPDATE memory_kinds SET active_entries = active_entries * $3::int WHERE tenant_id = $1 AND scope_key = $2',
    [values[0], values[1], factor],
  );
  await client.query(
    `UPDATE memory_terms SET entries = entries * $3::int
     WHERE tenant_id = $1 AND scope_key = $2 AND term NOT BETWEEN $4 AND $5`,
    [values[0], values[1], factor, ...batches],
  );
  await client.query(
    `INSERT INTO memory_terms AS t (tenant_id, scope_key, term, entries)
     SELECT $1::int, $2::bigint, term, entries FROM (
       SELECT unnest($3::bigint[]), $4::int
       UNION ALL
       SELECT terms[cardinality(terms)], count(*)::int FROM memory_states
       WHERE tenant_id = $1 AND artifact_key = $5 AND valid_from > $4 GROUP BY 1
     ) AS counted(term, entries)
     ON CONFLICT (tenant_id, scope_key, term) DO UPDATE SET entries = t.entries + excluded.entries`,
    [values[0], values[1], marked.map(({ term }) => term), entries, values[2]],
  );
}

/** The index term of a marker in a Scope, and the languages that it counts for. */
async function termOf(head: ScopeHead, word: string): Promise<{ term: number; languages: number }> {
  const projection = (await runInSlices(projectTexts(head, [`${word}.`]))).get(`${word}.`);
  const [term] = projection?.terms ?? [];
  if (projection === undefined || term === undefined || projection.terms.length !== 1)
    throw new Error(`${word} has not one index term.`);
  return { term, languages: projection.languages };
}
