/** What a pasted text may name, and the page that shows it. */
export interface PastedId {
  kind: 'candidate' | 'entry' | 'citation' | 'memoryRevision';
  segment: string;
  query: Record<string, string | number>;
}

/** A revision of another Family than memory. No page shows it: the dialog does. */
export interface PastedRevision {
  family: 'experience' | 'skill' | 'handoff';
  artifact_id: string;
  revision: number;
}

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const revisionText = /^memory\/([\x21-\x7e]{1,128})@([1-9]\d{0,9})$/;
const otherRevision = /^(experience|skill|handoff)\/([\x21-\x7e]{1,128})@([1-9]\d{0,9})$/;

/** Whether a text is a UUID, as Candidates, entries and jobs have it. */
export const isUuid = (text: string): boolean => uuid.test(text);

/** Reads `family/artifact_id@revision` of a Family but memory; null for any other text. */
export function readPastedRevision(text: string): PastedRevision | null {
  const [, family, artifact_id, revision] = otherRevision.exec(text) ?? [];
  if (artifact_id === undefined) return null;
  return { family: family as PastedRevision['family'], artifact_id, revision: Number(revision) };
}

/** Reads a UUID, a citation as JSON, or a revision of Memory. Empty for any other text. */
export function readPastedId(text: string): PastedId[] {
  if (uuid.test(text))
    return [
      { kind: 'candidate', segment: 'review', query: { within: 'scope', candidate: text } },
      { kind: 'entry', segment: 'memory', query: { entry: text } },
    ];
  const revision = revisionText.exec(text);
  if (revision !== null)
    return [
      {
        kind: 'memoryRevision',
        segment: 'memory',
        query: { artifact: revision[1] ?? '', revision: revision[2] ?? '' },
      },
    ];
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
