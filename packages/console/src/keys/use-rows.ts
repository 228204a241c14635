import { useKey } from './use-key.ts';

/** Moves between the rows of a list by `j` and `k`, and leaves the detail by Escape. */
export function useRowKeys<T>(
  rows: readonly T[],
  at: number,
  choose: (row: T) => void,
  onBack: () => void,
): void {
  const step = (by: number) => {
    const row = rows[at + by];
    if (row !== undefined) choose(row);
  };
  useKey('next', () => step(1));
  useKey('previous', () => step(-1), at > 0);
  useKey('into', () => document.querySelector<HTMLElement>('.candidate h2')?.focus());
  useKey('back', onBack);
}
