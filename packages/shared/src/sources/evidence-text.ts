/** The projection of an observed Source that extraction and generation read (spec 10 §9.2.5). */
export const textEvidence = { name: 'service.builtin.text-evidence', version: '1' };

/**
 * SQL for the JSON that extraction and generation read of the Source `s`: its content, or for an observation the text of its
 * text evidence. Null for an observation without text evidence.
 */
export const evidenceText = `CASE WHEN s.observation_digest IS NULL THEN s.content ELSE (
     SELECT to_json(p.value::json ->> 'content')::text FROM source_projections p
     WHERE p.tenant_id = s.tenant_id AND p.scope_key = s.scope_key AND p.position = s.position
       AND p.name = '${textEvidence.name}' AND p.version = '${textEvidence.version}') END`;
