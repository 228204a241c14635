import { useLayoutEffect } from 'preact/hooks';
import { Store } from './store.ts';

/** Whether something that `main` needs for its first drawing is still missing: `aria-busy` of `main` (spec 60 §6.1). */
export const busy = new Store(true);

/** Whether `main` was drawn once. What the frame reads waits for it, so that the page comes first. */
export const settled = new Store(false);

let pending = 0;
let settling: number | undefined;

/** Marks `main` as busy while `isPending`. What replaces the component in the same turn keeps it busy without a gap. */
export function useBusy(isPending: boolean): void {
  useLayoutEffect(() => {
    if (!isPending) {
      settle();
      return undefined;
    }
    pending += 1;
    busy.set(true);
    return () => {
      pending -= 1;
      settle();
    };
  }, [isPending]);
}

function settle(): void {
  clearTimeout(settling);
  settling = setTimeout(() => {
    if (pending > 0) return;
    busy.set(false);
    // After the drawing that takes `aria-busy` away, so that the calls of the frame are none of the page.
    setTimeout(() => settled.set(true), 30);
  }, 30);
}
