/** An item of a pasted context, with what reads its stored version. */
export interface PastedItem {
  text: string;
  truncated: boolean;
  /** Scope of a referenced item; null for the current Scope. */
  scope: string | null;
  reference:
    | { kind: 'memory'; citation: { memory_ref: ArtifactRef; entry_id: string; entry_version_id: string } }
    | { kind: 'experience'; artifact: ArtifactRef }
    | { kind: 'short'; id: string; isExperience: boolean };
}

interface ArtifactRef {
  family: string;
  artifact_id: string;
  revision: number;
}

const maxItems = 32;
const block = /BEGIN_SERVICE_PREPARED_CONTEXT_V[12]\r?\n([^\n]*)\r?\n\s*END_SERVICE_PREPARED_CONTEXT_V[12]/;

/** Finds the block in a pasted text and reads its items (spec 20 P9, spec 25 Q11). Null without a block. */
export function readPreparedBlock(text: string): PastedItem[] | null {
  const json = block.exec(text)?.[1];
  if (json === undefined) return null;
  try {
    const { items } = JSON.parse(json) as { items?: unknown };
    if (!Array.isArray(items)) return null;
    return items.slice(0, maxItems).flatMap((item) => readItem(item as Record<string, unknown>) ?? []);
  } catch {
    return null;
  }
}

function readItem(item: Record<string, unknown>): PastedItem | undefined {
  const isExperience = item['kind'] === 'experience';
  if (typeof item['id'] === 'string')
    return {
      text: String(item['text'] ?? ''),
      truncated: item['truncated'] === true || String(item['text'] ?? '').endsWith('…'),
      scope: typeof item['scope'] === 'string' ? item['scope'] : null,
      reference: { kind: 'short', id: item['id'], isExperience },
    };
  const citation = item['citation'] as Record<string, unknown> | undefined;
  if (citation === undefined) return undefined;
  const address = (citation['memory'] ?? citation['artifact']) as
    | { scope_id?: string; artifact?: ArtifactRef }
    | undefined;
  const shared = {
    text: String(item['content'] ?? ''),
    truncated: item['truncated'] === true,
    scope: address?.scope_id ?? null,
  };
  const artifact = (citation['memory_ref'] ?? citation['artifact_ref'] ?? address?.artifact) as
    | ArtifactRef
    | undefined;
  if (artifact === undefined) return undefined;
  if (isExperience || citation['entry_id'] === undefined)
    return { ...shared, reference: { kind: 'experience', artifact } };
  return {
    ...shared,
    reference: {
      kind: 'memory',
      citation: {
        memory_ref: artifact,
        entry_id: String(citation['entry_id']),
        entry_version_id: String(citation['entry_version_id']),
      },
    },
  };
}

/** The text of an Experience in a context (spec 20 P6). */
export function experienceText(content: {
  situation: string;
  action: string;
  outcome: string;
  lesson: string;
}): string {
  const { situation, action, outcome, lesson } = content;
  return `Situation: ${situation}\nAction: ${action}\nOutcome: ${outcome}\nLesson: ${lesson}`;
}
