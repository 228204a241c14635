import type { TenantId } from '@continuity/kernel/database';
import { canonicalJson, hashBytes, type JsonObject } from '@continuity/kernel/json';
import type { NewSource } from './new-source.ts';

/** Builds a Source that records an event of the service itself. Memory extraction ignores it (spec 40 §1.1). */
export function serviceSource(
  { tenantId, scopeId }: { tenantId: TenantId; scopeId: string },
  sourceType: string,
  sourceId: string,
  fields: JsonObject,
): NewSource {
  const content = canonicalJson(fields);
  return {
    tenantId,
    scopeId,
    sourceType,
    sourceId,
    content,
    contentDigest: hashBytes(content),
    metadata: null,
    eligible: false,
    record: null,
  };
}
