/** What a pasted text may name, and the page that shows it. */
export interface PastedId {
  kind: 'candidate' | 'entry' | 'citation' | 'memoryRevision';
  segment: string;
  query: Record<string, string | number>;
}

/** A revision of another Family than memory. No page shows it: the dialog does. */
export type PastedRevision = Revision & { family: 'experience' | 'skill' | 'handoff' };

/** A revision as `family/artifact_id@revision` names it. */
interface Revision {
  family: string;
  artifact_id: string;
  revision: number;
}

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const revisionText = /^(memory|experience|skill|handoff)\/([\x21-\x7e]{1,128})@([1-9]\d{0,9})$/;

/** Whether a text is a UUID, as Candidates, entries and jobs have it. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** Reads `family/artifact_id@revision`; null for any other text. */
export function readRevision(text: string): Revision | null {
  const [, family, artifact_id, revision] = revisionText.exec(text) ?? [];
  if (family === undefined || artifact_id === undefined) return null;
  return { family, artifact_id, revision: Number(revision) };
}

/** Reads a revision of any Family except memory; null for any other text. */
export function readPastedRevision(text: string): PastedRevision | null {
  const revision = readRevision(text);
  return revision === null || revision.family === 'memory' ? null : (revision as PastedRevision);
}

/** Reads a UUID, a citation as JSON, or a revision of Memory. Empty for any other text. */
export function readPastedId(text: string): PastedId[] {
  if (uuid.test(text))
    return [
      { kind: 'candidate', segment: 'review', query: { within: 'scope', candidate: text } },
      { kind: 'entry', segment: 'memory', query: { entry: text } },
    ];
  const named = readRevision(text);
  if (named?.family === 'memory') {
    const { artifact_id: artifact, revision } = named;
    return [{ kind: 'memoryRevision', segment: 'memory', query: { artifact, revision } }];
  }
  const cited = readCitation(text);
  if (cited === null) return [];
  const { artifact_id: artifact, entry_id: entry } = cited;
  return [{ kind: 'citation', segment: 'memory', query: { artifact, entry, revision: cited.revision } }];
}

/** Reads a Memory citation, alone or as `memory_citation` of an object; null for any other text. */
export function readCitation(
  text: string,
): { artifact_id: string; entry_id: string; revision: string } | null {
  if (!text.startsWith('{')) return null;
  try {
    const parsed = JSON.parse(text) as Record<string, unknown>;
    const citation = (parsed['memory_citation'] ?? parsed) as {
      memory_ref?: { artifact_id?: unknown; revision?: unknown };
      entry_id?: unknown;
    };
    const { memory_ref, entry_id } = citation;
    if (typeof entry_id !== 'string' || memory_ref === undefined) return null;
    return { artifact_id: String(memory_ref.artifact_id), entry_id, revision: String(memory_ref.revision) };
  } catch {
    return null;
  }
}
