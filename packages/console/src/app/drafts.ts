import { useState } from 'preact/hooks';
import { caller } from '../api/session.ts';

/** Key of unsent work in `sessionStorage`, under its tenant (spec 60 §5.3.4). */
const keyOf = (name: string) => `draft:${caller.value?.tenant ?? ''}:${name}`;

export function readDraft(name: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

/** Null removes the draft. A full or missing storage keeps it in the page only. */
export function writeDraft(name: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), text);
  } catch {
    // The form on screen still has it.
  }
}

/** Values of a form that survive a reload. `discard` forgets them. */
export function useDraft<T extends object>(
  name: string,
  initial: T,
): [T, (change: Partial<T>) => void, () => void] {
  const [values, setValues] = useState<T>(() => {
    try {
      return { ...initial, ...(JSON.parse(readDraft(name) ?? '{}') as Partial<T>) };
    } catch {
      return initial;
    }
  });
  const change = (changed: Partial<T>) => {
    const next = { ...values, ...changed };
    setValues(next);
    writeDraft(name, JSON.stringify(next));
  };
  const discard = () => {
    writeDraft(name, null);
    setValues(initial);
  };
  return [values, change, discard];
}
