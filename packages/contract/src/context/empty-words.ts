/** Why nothing came from a Scope (spec 25 Q18). */
export const emptyReasons = ['no_memory', 'no_match', 'no_room'] as const;

export type EmptyReason = (typeof emptyReasons)[number];

/** Says to an agent or a person why nothing came from a Scope, and what to do (spec 25 Q18). */
export function emptyWords(reason: EmptyReason, scopeId: string): string {
  const scope = `The Scope ${JSON.stringify(scopeId)}`;
  switch (reason) {
    case 'no_memory':
      return `${scope} has no Memory: nothing is remembered in it, or the id of the Scope is wrong.`;
    case 'no_match':
      return `${scope} has Memory, but nothing in it matches these words. Try other words.`;
    case 'no_room':
      return `${scope} has Memory that matches, but no item fits. Raise the limit of bytes.`;
  }
}
