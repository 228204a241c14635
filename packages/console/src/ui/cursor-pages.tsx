import { t } from '../catalog/index.ts';
import { Store, useStore } from './store.ts';

/** The pages of a list with cursors, from its first one. */
export interface CursorPages {
  cursor: string | null;
  index: number;
  next(cursor: string): void;
  previous(): void;
}

const start: readonly (string | null)[] = [null];
const keptLists = 50;

/** Cursors by list, so that Back returns to the page that was left. */
const lists = new Store<ReadonlyMap<string, readonly (string | null)[]>>(new Map());

/** The pages of the list with this key. */
export function useCursorPages(key: string): CursorPages {
  const cursors = useStore(lists).get(key) ?? start;
  const move = (next: readonly (string | null)[]) => {
    const others = [...lists.value].filter(([one]) => one !== key).slice(1 - keptLists);
    lists.set(new Map([...others, [key, next]]));
  };
  return {
    cursor: cursors.at(-1) ?? null,
    index: cursors.length - 1,
    next: (cursor) => move([...cursors, cursor]),
    previous: () => move(cursors.slice(0, -1)),
  };
}

/** "Previous page" and "Next page". */
export function PageButtons({ pages, nextCursor }: { pages: CursorPages; nextCursor: string | null }) {
  if (pages.index === 0 && nextCursor === null) return null;
  return (
    <p class="parts">
      <button type="button" disabled={pages.index === 0} onClick={pages.previous}>
        {t.previousPage}
      </button>
      <span>{t.pageNumber(pages.index + 1)}</span>
      <button
        type="button"
        disabled={nextCursor === null}
        onClick={() => nextCursor !== null && pages.next(nextCursor)}
      >
        {t.nextPage}
      </button>
    </p>
  );
}
