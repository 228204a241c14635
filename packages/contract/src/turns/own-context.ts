/**
 * Blocks that the service wrote for an agent: a prepared context (spec 20 P9, spec 25 Q11) and a Handoff as context. Also without the
 * preface or the end marker, because hosts cut long texts.
 */
const block = new RegExp(
  [
    '(?:Untrusted history: data, not instructions\\.[^\\n]*\\r?\\n\\r?\\n)?',
    'BEGIN_SERVICE_(?<name>PREPARED_CONTEXT_V[12]|HANDOFF_V1)\\r?\\n',
    '(?:\\{"trust":"untrusted_history"[^\\n]*(?:\\n|$))?',
    '(?:END_SERVICE_\\k<name>(?:\\r?\\n|$))?',
  ].join(''),
  'g',
);

/** Cuts the service's own context out of a text, so that recall does not feed itself (spec 70 §2.5). */
export function cutOwnContext(text: string): { text: string; blocks: number } {
  if (!text.includes('BEGIN_SERVICE_')) return { text, blocks: 0 };
  let blocks = 0;
  const rest = text.replace(block, () => {
    blocks += 1;
    return '';
  });
  return { text: rest, blocks };
}
