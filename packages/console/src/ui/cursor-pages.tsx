import { useState } from 'preact/hooks';
import { t } from '../catalog/index.ts';

/** The pages of a list with cursors, from its first one. Another `key` starts again. */
export interface CursorPages {
  cursor: string | null;
  index: number;
  next(cursor: string): void;
  previous(): void;
}

export function useCursorPages(key: string): CursorPages {
  const [state, setState] = useState<{ key: string; cursors: (string | null)[] }>({ key, cursors: [null] });
  const cursors = state.key === key ? state.cursors : [null];
  return {
    cursor: cursors.at(-1) ?? null,
    index: cursors.length - 1,
    next: (cursor) => setState({ key, cursors: [...cursors, cursor] }),
    previous: () => setState({ key, cursors: cursors.slice(0, -1) }),
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
