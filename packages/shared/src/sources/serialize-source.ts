import { type JsonAnswer, jsonAnswer } from '@continuity/shared/handlers';

/** A Source for the response of `get_source`. */
interface SourceToAnswer {
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
 * Serializes a SourceRecord. Inserts the stored content as text (spec 10 §8): JSON.parse moves integer-like keys to the front, so
 * that parsed and serialized content would not be canonical.
 */
export function serializeSource(source: SourceToAnswer): JsonAnswer {
  const identity = { scope_id: source.scopeId, source_type: source.sourceType, source_id: source.sourceId };
  const rest = { position: source.position, content_digest: source.contentDigest };
  return jsonAnswer(
    `${JSON.stringify(identity).slice(0, -1)},"content":${source.content},${JSON.stringify(rest).slice(1)}`,
  );
}
