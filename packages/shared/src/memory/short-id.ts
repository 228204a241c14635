import { decodeIdHead, decodeShortId, encodeIdHead, encodeShortId } from '../evidence/index.ts';
import { scopeMemoryId } from './entry.ts';

/** An entry version, and the range of Memory Artifact ids that can hold it. */
interface EntryVersion {
  entryId: string;
  version: number;
  artifactIds: { lowest: string; highest: string };
}

/**
 * The short id of an entry version (spec 25 Q11): 22 characters in the Scope Memory up to version 1023. An entry of another Memory
 * adds a dot and the first half of that Memory's id, so that the lookup reads one Memory, however many the Scope has.
 */
export function entryShortId(artifactId: string, entryId: string, version: number): string {
  const shortId = encodeShortId({ id: entryId, number: version });
  return artifactId === scopeMemoryId ? shortId : `${shortId}.${encodeIdHead(artifactId)}`;
}

/** The entry version of a short id; undefined if no entry can have it. */
export function parseEntryShortId(shortId: string): EntryVersion | undefined {
  const [encoded = '', head, ...rest] = shortId.split('.');
  const decoded = decodeShortId(encoded);
  const artifactIds =
    head === undefined ? { lowest: scopeMemoryId, highest: scopeMemoryId } : decodeIdHead(head);
  if (decoded === undefined || artifactIds === undefined || rest.length > 0) return undefined;
  return { entryId: decoded.id, version: decoded.number, artifactIds };
}
