/** What a letter or a chord does. Handlers, buttons and the dialog Keys come from this table (spec 60 §6.4). */
export interface KeyRow {
  /** As `aria-keyshortcuts` has it. A chord after `g` is two keys with a space. */
  keys: string[];
  /** A single letter or digit, which a person can switch off. */
  isLetter: boolean;
}

const letter = (...keys: string[]): KeyRow => ({ keys, isLetter: true });
const always = (...keys: string[]): KeyRow => ({ keys, isLetter: false });

export const keyTable = {
  keys: letter('?'),
  requests: letter('.'),
  jump: always('Control+k', 'Meta+k'),
  search: letter('/'),
  refresh: always('Alt+r'),
  next: letter('j'),
  previous: letter('k'),
  into: always('Enter'),
  back: always('Escape'),
  approve: letter('a'),
  reject: letter('r'),
  revise: letter('e'),
  retire: letter('x'),
  tab1: letter('1'),
  tab2: letter('2'),
  tab3: letter('3'),
  tab4: letter('4'),
  tab5: letter('5'),
  nextChange: letter('n'),
  previousChange: letter('p'),
  home: letter('g h'),
  review: letter('g r'),
  why: letter('g w'),
  memory: letter('g m'),
  sources: letter('g s'),
  confirm: always('Control+Enter', 'Meta+Enter'),
} satisfies Record<string, KeyRow>;

export type KeyAction = keyof typeof keyTable;

/** The value of `aria-keyshortcuts` of the control that does the same. */
export function shortcutsOf(action: KeyAction): string {
  return keyTable[action].keys.join(' ');
}
