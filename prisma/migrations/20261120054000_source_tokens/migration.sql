-- Estimated tokens of a Source's text (spec 20 P13, `character:weighted/1`), so that recall is counted without reading contents.
-- Null for what a gateway of the version before wrote while this migration was new.
ALTER TABLE sources ADD COLUMN tokens integer;
-- A string counts as it is, other JSON as its canonical form: an ASCII character weighs 1, any other 4, and 4 are a token.
UPDATE sources SET tokens = (char_length(text) + 3 * char_length(regexp_replace(text, '[\x01-\x7f]+', '', 'g')) + 3) / 4
FROM (
    SELECT tenant_id, scope_key, position,
           CASE WHEN starts_with(content, '"') THEN content::jsonb #>> '{}' ELSE content END COLLATE "C" AS text
    FROM sources
) AS written
WHERE (sources.tenant_id, sources.scope_key, sources.position) = (written.tenant_id, written.scope_key, written.position);
