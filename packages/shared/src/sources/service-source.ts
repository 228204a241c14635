import { canonicalJson, hashBytes, type JsonObject, type TenantId } from '@continuity/shared/kernel';
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
