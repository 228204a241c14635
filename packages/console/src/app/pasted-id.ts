/** What a pasted text names, and the page that shows it. */
export interface PastedId {
  kind: 'candidate' | 'entry' | 'citation' | 'memoryRevision';
  segment: string;
  query: Record<string, string | number>;
}

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const revisionText = /^memory\/([\x21-\x7e]{1,128})@([1-9]\d{0,9})$/;

/** Reads a UUID, a citation as JSON, or `family/artifact_id@revision`. Empty for any other text. */
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
  return readCitation(text);
}

function readCitation(text: string): PastedId[] {
  if (!text.startsWith('{')) return [];
  try {
    const parsed = JSON.parse(text) as Record<string, unknown>;
    const citation = (parsed['memory_citation'] ?? parsed) as {
      memory_ref?: { artifact_id?: unknown; revision?: unknown };
      entry_id?: unknown;
    };
    const { memory_ref, entry_id } = citation;
    if (typeof entry_id !== 'string' || memory_ref === undefined) return [];
    return [
      {
        kind: 'citation',
        segment: 'memory',
        query: {
          artifact: String(memory_ref.artifact_id),
          entry: entry_id,
          revision: String(memory_ref.revision),
        },
      },
    ];
  } catch {
    return [];
  }
}
