/**
 * Each finds inconsistent rows in the Scopes of `$1` and the two tenants; a consistent Scope has
 * none. They hold after each commit, so they need no pause of the service, only one snapshot.
 */
export const contradictions: Record<string, string> = {
  'spec 00 §4: positions count 1, 2, 3 …': `
    SELECT c.scope_id, l.last_position, count(s.position) AS sources, max(s.position) AS highest
    FROM scopes c JOIN source_sequences l USING (tenant_id, scope_key) LEFT JOIN sources s USING (tenant_id, scope_key)
    WHERE c.scope_id = ANY($1) GROUP BY c.tenant_id, c.scope_id, l.last_position
    HAVING count(s.position) <> l.last_position OR coalesce(max(s.position), 0) <> l.last_position`,

  'source_sequences: counts are those of the Sources': `
    SELECT c.scope_id, l.* FROM scopes c JOIN source_sequences l USING (tenant_id, scope_key)
    CROSS JOIN LATERAL (
      SELECT count(*) AS eligible, count(*) FILTER (WHERE position <= l.extraction_cursor) AS extracted
      FROM sources s WHERE s.tenant_id = l.tenant_id AND s.scope_key = l.scope_key AND s.eligible) AS s
    WHERE c.scope_id = ANY($1)
      AND (l.eligible_count <> s.eligible OR l.extracted_count <> s.extracted OR l.extraction_cursor > l.last_position
        OR (l.pending_since IS NULL) <> (s.eligible = s.extracted))`,

  'spec 30 §4.3.9: capture times never decrease along positions': `
    SELECT * FROM (
      SELECT c.scope_id, s.position, s.created_at, lag(s.created_at) OVER (PARTITION BY s.tenant_id, s.scope_key ORDER BY s.position) AS before
      FROM scopes c JOIN sources s USING (tenant_id, scope_key) WHERE c.scope_id = ANY($1)) AS captured
    WHERE created_at < before`,

  'work_records: counters are those of the records, up to each of them and in source_sequences': `
    SELECT * FROM (
      SELECT c.scope_id, w.position, w.work_contracts + w.work_boundaries + w.work_receipts + w.work_outcomes AS valid,
        w.invalid_work_records AS invalid, count(w.status) OVER up AS valid_rows, count(*) OVER up - count(w.status) OVER up AS invalid_rows,
        CASE WHEN lead(w.position) OVER up IS NULL
          THEN l.work_contracts + l.work_boundaries + l.work_receipts + l.work_outcomes END AS last_valid
      FROM scopes c JOIN source_sequences l USING (tenant_id, scope_key) JOIN work_records w USING (tenant_id, scope_key)
      WHERE c.scope_id = ANY($1) WINDOW up AS (PARTITION BY w.tenant_id, w.scope_key ORDER BY w.position)) AS counted
    WHERE valid <> valid_rows OR invalid <> invalid_rows OR last_valid <> valid`,

  'handoff_summaries: each revision of a Handoff has one': `
    SELECT c.scope_id, r.revision FROM scopes c JOIN artifacts a USING (tenant_id, scope_key)
    JOIN artifact_revisions r USING (tenant_id, artifact_key)
    LEFT JOIN handoff_summaries h USING (tenant_id, artifact_key, revision)
    WHERE c.scope_id = ANY($1) AND a.family = 'handoff' AND h.committed_at IS DISTINCT FROM r.created_at`,

  'spec 00 §4: revisions count 1, 2, 3 …': `
    SELECT c.scope_id, a.artifact_id, a.head_revision, count(r.revision) AS revisions, max(r.revision) AS highest
    FROM scopes c JOIN artifacts a USING (tenant_id, scope_key) LEFT JOIN artifact_revisions r USING (tenant_id, artifact_key)
    WHERE c.scope_id = ANY($1) GROUP BY c.tenant_id, c.scope_id, a.artifact_key, a.artifact_id, a.head_revision
    HAVING count(r.revision) <> a.head_revision OR coalesce(max(r.revision), 0) <> a.head_revision OR a.head_revision < 1`,

  'spec 20 M3, M4: each Memory revision has changes, and each change is a state that begins': `
    SELECT c.scope_id, r.revision, ch.entry_id, s.valid_from
    FROM scopes c JOIN artifacts a USING (tenant_id, scope_key) JOIN artifact_revisions r USING (tenant_id, artifact_key)
    LEFT JOIN memory_changes ch USING (tenant_id, artifact_key, revision)
    LEFT JOIN memory_states s ON (s.tenant_id, s.artifact_key, s.entry_id, s.valid_from)
      = (ch.tenant_id, ch.artifact_key, ch.entry_id, ch.revision)
    WHERE c.scope_id = ANY($1) AND a.family = 'memory' AND (ch.entry_id IS NULL OR s.entry_id IS NULL
      OR s.active <> (ch.op <> 'deactivate') OR s.version <> coalesce(ch.to_version, ch.from_version))`,

  'spec 20 M7: the states of an entry follow each other from its addition, and one is open': `
    SELECT * FROM (
      SELECT c.scope_id, s.entry_id, s.valid_from, s.valid_to, s.version, s.active, a.head_revision,
        lead(s.valid_from) OVER entry AS next_from, lag(s.version) OVER entry AS version_before
      FROM scopes c JOIN artifacts a USING (tenant_id, scope_key) JOIN memory_states s USING (tenant_id, artifact_key)
      WHERE c.scope_id = ANY($1)
      WINDOW entry AS (PARTITION BY s.tenant_id, s.artifact_key, s.entry_id ORDER BY s.valid_from)) AS state
    WHERE valid_to IS DISTINCT FROM next_from OR valid_from >= valid_to OR valid_from > head_revision
      OR version NOT IN (coalesce(version_before, 0), coalesce(version_before, 0) + 1)`,

  'spec 20 M5: versions of an entry count 1, 2, 3 …, and each is reached': `
    SELECT c.scope_id, v.entry_id, count(*) AS versions, max(v.version) AS highest
    FROM scopes c JOIN artifacts a USING (tenant_id, scope_key) JOIN memory_versions v USING (tenant_id, artifact_key)
    LEFT JOIN LATERAL (SELECT max(version) AS last FROM memory_states s
      WHERE (s.tenant_id, s.artifact_key, s.entry_id) = (v.tenant_id, v.artifact_key, v.entry_id)) AS s ON true
    WHERE c.scope_id = ANY($1) GROUP BY c.tenant_id, c.scope_id, v.artifact_key, v.entry_id
    HAVING count(*) <> max(v.version) OR min(v.version) <> 1 OR max(s.last) IS DISTINCT FROM max(v.version)`,

  'only a current active state has a lexical projection': `
    SELECT c.scope_id, s.* FROM scopes c JOIN artifacts a USING (tenant_id, scope_key)
    JOIN memory_states s USING (tenant_id, artifact_key)
    WHERE c.scope_id = ANY($1) AND ((s.valid_to IS NULL AND s.active) <> (s.terms IS NOT NULL)
      OR (s.terms IS NULL) <> (s.length IS NULL) OR cardinality(s.terms) <> cardinality(s.term_frequencies))`,

  'memory_totals: counts are those of the entries': `
    SELECT c.scope_id, t.active_entries, t.inactive_entries, t.total_length, s.* FROM scopes c
    LEFT JOIN memory_totals t USING (tenant_id, scope_key)
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE active) AS active, count(*) FILTER (WHERE NOT active) AS inactive,
        coalesce(sum(length), 0) AS length FROM memory_states s
      WHERE (s.tenant_id, s.scope_key) = (c.tenant_id, c.scope_key) AND s.valid_to IS NULL) AS s
    WHERE c.scope_id = ANY($1)
      AND (coalesce(t.active_entries, 0) <> s.active OR coalesce(t.inactive_entries, 0) <> s.inactive
        OR coalesce(t.total_length, 0) <> s.length)`,

  'memory_kinds: counts are those of the entries': `
    WITH counted AS (
      SELECT s.tenant_id, s.scope_key, v.kind, count(*) FILTER (WHERE s.active) AS active,
        count(*) FILTER (WHERE NOT s.active) AS inactive
      FROM scopes c JOIN memory_states s USING (tenant_id, scope_key)
      JOIN memory_versions v ON (v.tenant_id, v.artifact_key, v.entry_id, v.version)
        = (s.tenant_id, s.artifact_key, s.entry_id, s.version)
      WHERE c.scope_id = ANY($1) AND s.valid_to IS NULL GROUP BY s.tenant_id, s.scope_key, v.kind
    ), kept AS (
      SELECT k.* FROM scopes c JOIN memory_kinds k USING (tenant_id, scope_key) WHERE c.scope_id = ANY($1)
    )
    SELECT * FROM counted FULL JOIN kept USING (tenant_id, scope_key, kind)
    WHERE coalesce(active, 0) <> coalesce(active_entries, 0) OR coalesce(inactive, 0) <> coalesce(inactive_entries, 0)`,

  'artifact_counts: counts are those of the heads': `
    WITH counted AS (
      SELECT a.tenant_id, a.scope_key, a.family, count(*) AS artifacts
      FROM scopes c JOIN artifacts a USING (tenant_id, scope_key)
      WHERE c.scope_id = ANY($1) GROUP BY a.tenant_id, a.scope_key, a.family
    ), kept AS (
      SELECT n.* FROM scopes c JOIN artifact_counts n USING (tenant_id, scope_key) WHERE c.scope_id = ANY($1)
    )
    SELECT * FROM counted FULL JOIN kept USING (tenant_id, scope_key, family) WHERE artifacts IS DISTINCT FROM heads`,

  'memory_terms: counts are those of the active entries': `
    WITH counted AS (
      SELECT s.tenant_id, s.scope_key, term, count(*) AS document_frequency
      FROM scopes c JOIN memory_states s USING (tenant_id, scope_key) CROSS JOIN unnest(s.terms) AS term
      WHERE c.scope_id = ANY($1) AND s.valid_to IS NULL GROUP BY s.tenant_id, s.scope_key, term
    ), kept AS (
      SELECT m.* FROM scopes c JOIN memory_terms m USING (tenant_id, scope_key) WHERE c.scope_id = ANY($1)
    )
    SELECT * FROM counted FULL JOIN kept USING (tenant_id, scope_key, term) WHERE coalesce(document_frequency, 0) <> coalesce(entries, 0)`,

  'a head of an Experience, and of a Skill that is not retired, has its projection, and nothing else has one': `
    SELECT c.scope_id, a.family, a.artifact_id FROM scopes c JOIN artifacts a USING (tenant_id, scope_key)
    LEFT JOIN managed_skills m USING (tenant_id, artifact_key) LEFT JOIN document_projections p USING (tenant_id, artifact_key)
    WHERE c.scope_id = ANY($1) AND ((p.artifact_key IS NOT NULL) <> (a.family IN ('experience', 'skill')
        AND m.lifecycle_state IS DISTINCT FROM 'retired')
      OR (a.family = 'skill') <> (m.artifact_key IS NOT NULL) OR cardinality(p.terms) <> cardinality(p.term_frequencies)
      OR p.terms <> ARRAY(SELECT unnest(p.terms) ORDER BY 1))`,

  'document_totals: counts are those of the projections': `
    WITH counted AS (
      SELECT a.tenant_id, a.scope_key, a.family, count(*) AS found, sum(p.length) AS length
      FROM scopes c JOIN artifacts a USING (tenant_id, scope_key) JOIN document_projections p USING (tenant_id, artifact_key)
      WHERE c.scope_id = ANY($1) GROUP BY a.tenant_id, a.scope_key, a.family
    ), kept AS (
      SELECT t.* FROM scopes c JOIN document_totals t USING (tenant_id, scope_key) WHERE c.scope_id = ANY($1)
    )
    SELECT * FROM counted FULL JOIN kept USING (tenant_id, scope_key, family)
    WHERE coalesce(found, 0) <> coalesce(documents, 0) OR coalesce(length, 0) <> coalesce(total_length, 0)`,

  'document_terms: counts are those of the projections': `
    WITH counted AS (
      SELECT p.tenant_id, p.scope_key, term, count(*) AS document_frequency
      FROM scopes c JOIN document_projections p USING (tenant_id, scope_key) CROSS JOIN unnest(p.terms) AS term
      WHERE c.scope_id = ANY($1) GROUP BY p.tenant_id, p.scope_key, term
    ), kept AS (
      SELECT t.* FROM scopes c JOIN document_terms t USING (tenant_id, scope_key) WHERE c.scope_id = ANY($1)
    )
    SELECT * FROM counted FULL JOIN kept USING (tenant_id, scope_key, term) WHERE coalesce(document_frequency, 0) <> coalesce(documents, 0)`,

  'candidate_counts: counts are those of the Candidates': `
    WITH counted AS (
      SELECT n.tenant_id, n.scope_key, n.status, n.family, n.origin, count(*) AS found
      FROM scopes c JOIN candidates n USING (tenant_id, scope_key)
      WHERE c.scope_id = ANY($1) GROUP BY n.tenant_id, n.scope_key, n.status, n.family, n.origin
    ), kept AS (
      SELECT n.* FROM scopes c JOIN candidate_counts n USING (tenant_id, scope_key) WHERE c.scope_id = ANY($1)
    )
    SELECT * FROM counted FULL JOIN kept USING (tenant_id, scope_key, status, family, origin)
    WHERE coalesce(found, 0) <> coalesce(candidates, 0)`,

  'spec 00 §4: versions of a Candidate count 1, 2, 3 …, up to the current one': `
    SELECT n.candidate_id, n.version, v.* FROM scopes c JOIN candidates n USING (tenant_id, scope_key)
    LEFT JOIN LATERAL (SELECT count(*) AS found, max(version) AS highest FROM candidate_versions v
      WHERE (v.tenant_id, v.candidate_id) = (n.tenant_id, n.candidate_id)) AS v ON true
    WHERE c.scope_id = ANY($1) AND (v.found <> n.version OR v.highest IS DISTINCT FROM n.version)`,

  'spec 40 §4: an approved Candidate has the revision that it was reviewed as, after its target': `
    SELECT n.candidate_id, n.result_id, n.result_revision FROM scopes c JOIN candidates n USING (tenant_id, scope_key)
    JOIN candidate_versions v ON (v.tenant_id, v.candidate_id, v.version) = (n.tenant_id, n.candidate_id, n.version)
    LEFT JOIN artifacts a ON (a.tenant_id, a.scope_key, a.family, a.artifact_id)
      = (n.tenant_id, n.scope_key, n.family, n.result_id)
    LEFT JOIN artifact_revisions r ON (r.tenant_id, r.artifact_key, r.revision)
      = (n.tenant_id, a.artifact_key, n.result_revision)
    WHERE c.scope_id = ANY($1) AND n.status = 'approved' AND (r.content IS DISTINCT FROM v.proposal
      OR n.result_revision <> coalesce(n.target_revision, 0) + 1 OR n.result_id <> coalesce(n.target_id, n.result_id))`,

  'spec 40 §5.6: a Skill revision has the package that it names': `
    SELECT c.scope_id, a.artifact_id, r.revision FROM scopes c JOIN artifacts a USING (tenant_id, scope_key)
    JOIN artifact_revisions r USING (tenant_id, artifact_key)
    LEFT JOIN skill_packages p ON (p.tenant_id, p.scope_key, encode(p.tree_digest, 'hex'))
      = (a.tenant_id, a.scope_key, r.content::jsonb->'package'->>'tree_digest')
    WHERE c.scope_id = ANY($1) AND a.family = 'skill' AND (p.archive IS NULL OR sha256(p.archive) <> p.archive_digest
      OR length(p.archive) <> p.archive_size OR r.content::jsonb->'package'->>'archive_digest' <> encode(p.archive_digest, 'hex'))`,

  'spec 10 §7.1.5: a published revision has the content digest of its source': `
    SELECT c.scope_id, p.* FROM scopes c JOIN artifact_publications p USING (tenant_id, scope_key)
    JOIN artifacts a USING (tenant_id, artifact_key)
    LEFT JOIN artifact_revisions r ON (r.tenant_id, r.artifact_key, r.revision) = (a.tenant_id, a.artifact_key, 1)
    LEFT JOIN scopes sc ON (sc.tenant_id, sc.scope_id) = (p.tenant_id, p.source_scope_id)
    LEFT JOIN artifacts sa ON (sa.tenant_id, sa.scope_key, sa.family, sa.artifact_id)
      = (sc.tenant_id, sc.scope_key, a.family, p.source_artifact_id)
    LEFT JOIN artifact_revisions sr ON (sr.tenant_id, sr.artifact_key, sr.revision)
      = (sa.tenant_id, sa.artifact_key, p.source_revision)
    WHERE c.scope_id = ANY($1) AND (r.content_digest IS DISTINCT FROM p.content_digest
      OR sr.content_digest IS DISTINCT FROM p.content_digest OR r.content <> sr.content)`,

  'spec 20 F9: windows of flushes follow each other without overlap or gap': `
    SELECT * FROM (
      SELECT j.scope_id, j.job_id, (result->>'previous_cursor')::bigint AS previous, (result->>'current_cursor')::bigint AS current,
        coalesce(lag((result->>'current_cursor')::bigint) OVER line, 0) AS before,
        lead(j.job_id) OVER line AS next, l.extraction_cursor,
        sum((result->>'processed_source_count')::bigint) OVER line AS processed, l.extracted_count
      FROM jobs j JOIN scopes c USING (tenant_id, scope_id) JOIN source_sequences l USING (tenant_id, scope_key)
      WHERE j.scope_id = ANY($1) AND j.operation = 'flush_memory' AND j.result->>'status' = 'processed'
      WINDOW line AS (PARTITION BY j.tenant_id, j.scope_id ORDER BY (result->>'previous_cursor')::bigint)) AS flush
    WHERE previous <> before OR current <= previous
      OR (next IS NULL AND (current <> extraction_cursor OR processed <> extracted_count))`,

  'no job has failed, and only a cancelled one has an error': `
    SELECT * FROM jobs WHERE scope_id = ANY($1) AND (status = 'failed'
      OR (error IS NOT NULL) <> (status = 'cancelled')
      OR (status = 'cancelled' AND error ->> 'code' IS DISTINCT FROM 'job_cancelled'))`,

  'a job has the times and the result of its status': `
    SELECT * FROM jobs WHERE scope_id = ANY($1) AND ((result IS NOT NULL) <> (status = 'succeeded')
      OR (finished_at IS NOT NULL) <> (status IN ('succeeded', 'cancelled'))
      OR (status = 'running' AND started_at IS NULL))`,

  'spec 00 §4: a Scope that is made by its first write has one': `
    SELECT c.scope_id FROM scopes c WHERE c.scope_id = ANY($1) AND c.version = 1
      AND c.title = c.scope_id AND c.summary = 'Created on first write.'
      AND NOT EXISTS (SELECT FROM sources s WHERE (s.tenant_id, s.scope_key) = (c.tenant_id, c.scope_key))
      AND NOT EXISTS (SELECT FROM artifacts a WHERE (a.tenant_id, a.scope_key) = (c.tenant_id, c.scope_key))
      AND NOT EXISTS (SELECT FROM connector_checkpoints k WHERE (k.tenant_id, k.scope_key) = (c.tenant_id, c.scope_key))
      AND NOT EXISTS (SELECT FROM external_skills e WHERE (e.tenant_id, e.scope_key) = (c.tenant_id, c.scope_key))
      AND NOT EXISTS (SELECT FROM remote_skill_targets t WHERE (t.tenant_id, t.scope_key) = (c.tenant_id, c.scope_key))
      AND NOT EXISTS (SELECT FROM report_workstreams w WHERE (w.tenant_id, w.scope_id) = (c.tenant_id, c.scope_id))`,

  'spec 10 §4: no Scope is above itself': `
    WITH RECURSIVE above AS (
      SELECT tenant_id, scope_id, parent_scope_id FROM scopes
      WHERE scope_id = ANY($1) AND parent_scope_id IS NOT NULL
      UNION
      SELECT a.tenant_id, a.scope_id, p.parent_scope_id
      FROM above a JOIN scopes p ON (p.tenant_id, p.scope_id) = (a.tenant_id, a.parent_scope_id)
    )
    SELECT * FROM above WHERE scope_id = parent_scope_id`,
};
