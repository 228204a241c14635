import { useEffect, useState } from 'preact/hooks';
import { type Call, queryClient, useCall } from '../api/calls.ts';
import type { AnswerOf, RequestTo } from '../api/service.ts';
import { settled } from '../ui/busy.ts';
import { Store, useStore } from '../ui/store.ts';
import type { Address, InboxItem } from './types.ts';

export const pageRows = 50;
const arrivalsMs = 30_000;

export type Filters = Omit<RequestTo<'listCandidateInbox'>, 'cursor' | 'limit'>;
type Page = AnswerOf<'listCandidateInbox'>;

/** The pages of one list that were read, so that Back returns to the same rows. */
interface Position {
  cursors: (string | null)[];
  index: number;
  counts: number[];
}

const positions = new Store<ReadonlyMap<string, Position>>(new Map());

/** Candidates that this tab knows as decided, by `keyOf`. */
export const decided = new Store<ReadonlyMap<string, 'approved' | 'rejected'>>(new Map());

export const keyOf = ({ scope_id, candidate_id }: Address): string =>
  JSON.stringify([scope_id, candidate_id]);

/** Remembers a decision. The row stays until the person moves on; the number in Main is read again. */
export function markDecided(address: Address, status: 'approved' | 'rejected'): void {
  decided.set(new Map(decided.value).set(keyOf(address), status));
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [name, request] }) =>
      name === 'listCandidateInbox' && (request as { limit?: number } | null)?.limit !== pageRows,
  });
}

/** One page of the inbox as it was when it was read, and what arrived since. */
export interface Inbox {
  call: Call<Page>;
  items: readonly InboxItem[];
  /** Rows before this page. */
  offset: number;
  /** Candidates that were created since the list was read. `isMore`: at least so many. */
  arrivals: { count: number; isMore: boolean };
  hasNext: boolean;
  hasPrevious: boolean;
  next(): void;
  previous(): void;
  /** Starts again at the first page, with what arrived. */
  reload(): void;
}

const start: Position = { cursors: [null], index: 0, counts: [] };

/** Reads the inbox page by page. Rows never move by themselves (spec 60 §7.3.1). */
export function useInbox(filters: Filters): Inbox {
  const key = JSON.stringify(filters);
  const position = useStore(positions).get(key) ?? start;
  const move = (next: Position) => positions.set(new Map(positions.value).set(key, next));
  const cursor = position.cursors[position.index] ?? null;
  const call = useCall('listCandidateInbox', { ...filters, limit: pageRows, cursor }, { isImmutable: true });
  const items = call.data?.items ?? [];
  const nextCursor = call.data?.next_cursor ?? null;
  const isWhole = position.index === 0 && call.data !== undefined && nextCursor === null;
  const arrivals = useArrivals(filters, call.readAt, isWhole ? items : null);
  const reload = () => {
    move(start);
    queryClient.removeQueries({ type: 'inactive', queryKey: ['listCandidateInbox'] });
    void queryClient.resetQueries({ queryKey: ['listCandidateInbox'], type: 'active' });
  };
  return {
    call,
    items,
    offset: position.counts.slice(0, position.index).reduce((sum, count) => sum + count, 0),
    arrivals,
    hasNext: nextCursor !== null,
    hasPrevious: position.index > 0,
    next: () => {
      if (nextCursor === null) return;
      const index = position.index + 1;
      const cursors = [...position.cursors.slice(0, index), nextCursor];
      move({ cursors, index, counts: [...position.counts.slice(0, index - 1), items.length] });
    },
    previous: () => move({ ...position, index: Math.max(0, position.index - 1) }),
    reload,
  };
}

/** The newest Candidates of a look: when the list was read that they belong to, and when they were read, in milliseconds. */
interface Known {
  of: number;
  at: number;
  ids: ReadonlySet<string>;
}

/**
 * Counts Candidates that are newer than the list. A list of one page names all that it has. Of a longer one, what was newest at the first
 * look counts as known: list and newest are read at once, and either can be the first.
 */
function useArrivals(
  filters: Filters,
  readAt: Date | null,
  whole: readonly InboxItem[] | null,
): Inbox['arrivals'] {
  const isOn = useStore(settled) && readAt !== null && filters.status === 'pending';
  const newest = useCall(
    'listCandidateInbox',
    isOn ? { ...filters, order: 'newest', limit: pageRows - 1 } : null,
    { pollMs: arrivalsMs, isBackground: true },
  );
  const [known, setKnown] = useState<Known | null>(null);
  const of = readAt?.getTime() ?? 0;
  const at = newest.readAt?.getTime() ?? 0;
  useEffect(() => {
    if (newest.data === undefined || known?.of === of) return;
    if (whole !== null) setKnown({ of, at, ids: new Set(whole.map(keyOf)) });
    else if (known?.at === at) setKnown({ ...known, of });
    else setKnown({ of, at, ids: new Set(newest.data.items.map(keyOf)) });
  }, [newest.data, at, known, of, whole]);
  // What left the newest rows because others were decided is not new: it lies behind the last known one.
  const lastKnown = newest.data?.items.findIndex((item) => known?.ids.has(keyOf(item))) ?? -1;
  const fresh = newest.data?.items.slice(0, lastKnown === -1 ? pageRows : lastKnown) ?? [];
  const isMore = fresh.length === pageRows - 1 && known !== null;
  return { count: known === null ? 0 : fresh.length, isMore };
}
