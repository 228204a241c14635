import { useEffect, useRef } from 'preact/hooks';
import { showRow } from '../ui/show-row.ts';
import { type KeyAction, shortcutsOf } from './table.ts';
import { useKey } from './use-key.ts';

/** What names the key of a row beside the chosen one: the link of the row does the same. `at`: place of the chosen row, or -1. */
export function rowKeys(index: number, at: number): { 'aria-keyshortcuts'?: string } {
  const actions: Record<number, KeyAction> = { [-1]: 'previous', 0: 'into', 1: 'next' };
  const action = actions[index - at];
  return action === undefined || index < 0 ? {} : { 'aria-keyshortcuts': shortcutsOf(action) };
}

/** A step over the edge of a page: which end of the next page is chosen once it is not the page with this first row any more. */
let crossing: { end: 'first' | 'last'; from: string | undefined } | null = null;

interface Rows {
  /** A name of each row of the page. */
  names: readonly string[];
  /** Place of the chosen row, or -1. */
  at: number;
  choose: (index: number) => void;
  onBack: () => void;
  /** Ways to the pages beside this one. Undefined: there is none. */
  nextPage?: (() => void) | undefined;
  previousPage?: (() => void) | undefined;
}

/** Moves between the rows of a list by `j` and `k`, also across pages, and leaves the detail by Escape. */
export function useRowKeys({ names, at, choose, onBack, nextPage, previousPage }: Rows): void {
  const cross = (end: 'first' | 'last', open: (() => void) | undefined) => {
    if (open === undefined) return;
    crossing = { end, from: names[0] };
    open();
  };
  useEffect(() => {
    if (crossing === null || names.length === 0 || names[0] === crossing.from) return;
    const index = crossing.end === 'first' ? 0 : names.length - 1;
    crossing = null;
    choose(index);
  });
  useKey('next', () => (at + 1 < names.length ? choose(at + 1) : cross('first', nextPage)));
  useKey('previous', () => (at > 0 ? choose(at - 1) : cross('last', previousPage)), at >= 0);
  useKey('into', () => document.querySelector<HTMLElement>('.candidate h2')?.focus());
  useKey('back', onBack);
  useReturnToRow(at);
}

/** After the detail is left, the row that was open has the focus and is in sight. */
function useReturnToRow(at: number): void {
  const last = useRef<string | null>(null);
  useEffect(() => {
    const chosen = document.querySelector<HTMLAnchorElement>('.list-pane a[aria-current]');
    if (at >= 0) {
      last.current = chosen?.getAttribute('href') ?? null;
      showRow(chosen);
      return;
    }
    if (last.current === null) return;
    const row = [...document.querySelectorAll<HTMLAnchorElement>('.list-pane a')].find(
      (link) => link.getAttribute('href') === last.current,
    );
    last.current = null;
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'center' });
  }, [at]);
}
