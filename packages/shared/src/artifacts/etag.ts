import type { ArtifactRef } from '@continuity/contract';
import { asDigest, digestHex } from '@continuity/kernel/json';

/** Returns the strong entity tag of a revision, unique to its Artifact (spec 10 §6.1.9). `contentDigest` is 64 hex digits. */
export function etagOf(
  scopeId: string,
  { family, artifact_id, revision }: ArtifactRef,
  contentDigest: string,
): string {
  const hash = digestHex([scopeId, family, artifact_id, revision, asDigest(contentDigest)]);
  return `"${revision}-${hash.slice(0, 32)}"`;
}

/** Whether `If-Match` has exactly this tag, alone or in a list. `*` and weak tags never match (spec 10 §6.4). */
export function hasStrongMatch(header: string, etag: string): boolean {
  return entityTags(header).includes(etag);
}

/** Whether `If-None-Match` is `*` or holds this tag by weak comparison (RFC 9110 §13.1.2). */
export function hasWeakMatch(header: string, etag: string): boolean {
  return header.trim() === '*' || entityTags(header).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** Parses a list of tags (RFC 9110 §8.8.3, §5.6.1). Returns none for any other header. */
function entityTags(header: string): string[] {
  // Two adjacent runs of spaces would make the expression backtrack over every split of them.
  const element = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y;
  const tags: string[] = [];
  while (element.lastIndex < header.length) {
    const match = element.exec(header);
    if (match === null) return [];
    if (match[1] !== undefined) tags.push(match[1]);
  }
  return tags;
}
