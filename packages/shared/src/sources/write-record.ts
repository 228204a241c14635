/** A Source as `get_source` answers it. */
export interface SourceToAnswer {
  scopeId: string;
  sourceType: string;
  sourceId: string;
  /** Canonical JSON. */
  content: string;
  position: number;
  /** The contract's `digest` form. */
  contentDigest: string;
}

/**
 * A SourceRecord as it is sent. The content stays the text that it is kept as (spec 10 §8): parsed and written again it would
 * not be canonical, because an object has the names that look like numbers first.
 */
export function writeRecord(source: SourceToAnswer): { body: Buffer; headers: Record<string, string> } {
  const identity = { scope_id: source.scopeId, source_type: source.sourceType, source_id: source.sourceId };
  const rest = { position: source.position, content_digest: source.contentDigest };
  const record = `${JSON.stringify(identity).slice(0, -1)},"content":${source.content},${JSON.stringify(rest).slice(1)}`;
  return {
    body: Buffer.from(record, 'utf8'),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}
