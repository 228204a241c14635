import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { prefetch, useCall } from '../api/calls.ts';
import { useScope } from '../app/scope.tsx';
import { t } from '../catalog/index.ts';
import { useKey } from '../keys/use-key.ts';
import { go } from '../routing/place.ts';
import { settled } from '../ui/busy.ts';
import { PageHead } from '../ui/page.tsx';
import { showRow } from '../ui/show-row.ts';
import { Loading } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { CandidateView } from './candidate-view.tsx';
import { decided, type Filters, keyOf, useInbox } from './inbox.ts';
import { InboxList } from './inbox-list.tsx';
import { filtersOf, type ReviewParameters, useReviewParameters } from './parameters.ts';
import type { Address, InboxItem } from './types.ts';

const prefetched = 2;

/** The page Review (spec 60 §7.3): the inbox, and the chosen Candidate beside it. */
export function ReviewPage() {
  const parameters = useReviewParameters();
  const needsScope =
    parameters.values.within !== 'all' ||
    (parameters.values.candidate !== null && parameters.values.of === null);
  return (
    <>
      <PageHead title={t.pages.review} ignored={parameters.ignored} />
      {needsScope ? (
        <InScope parameters={parameters} />
      ) : (
        <Reviewing parameters={parameters} scope={undefined} />
      )}
    </>
  );
}

function InScope({ parameters }: { parameters: ReviewParameters }) {
  const scope = useScope();
  return scope === undefined ? <Loading rows={8} /> : <Reviewing parameters={parameters} scope={scope} />;
}

function Reviewing({ parameters, scope }: { parameters: ReviewParameters; scope: string | undefined }) {
  const filters = filtersOf(parameters, scope);
  return filters === null ? null : <Panes parameters={parameters} filters={filters} scope={scope} />;
}

function Panes({
  parameters,
  filters,
  scope,
}: {
  parameters: ReviewParameters;
  filters: Filters;
  scope: string | undefined;
}) {
  const { values } = parameters;
  const inbox = useInbox(filters);
  const known = useStore(decided);
  const wanted =
    values.candidate === null ? null : { scope_id: values.of ?? scope ?? '', candidate_id: values.candidate };
  // A row that was decided stays until the person moves on.
  const isShown = (item: InboxItem) =>
    values.status !== 'pending' ||
    !known.has(keyOf(item)) ||
    (wanted !== null && keyOf(item) === keyOf(wanted));
  const rows = inbox.items.filter(isShown);
  const chosen: Address | null = wanted ?? rows[0] ?? null;
  const at = chosen === null ? -1 : rows.findIndex((item) => keyOf(item) === keyOf(chosen));
  const item = rows[at];
  const choose = (next: InboxItem) =>
    parameters.set({ candidate: next.candidate_id, of: next.scope_id, tab: 'proposal', file: null });
  const toNext = () => {
    const next = rows[at + 1];
    if (next !== undefined) choose(next);
    else if (inbox.hasNext) {
      parameters.set({ candidate: null, of: null, file: null });
      inbox.next();
    } else if (at > 0 && rows[0] !== undefined) choose(rows[0]);
    else if (values.candidate !== null) go(parameters.address({ candidate: null, of: null, file: null }));
  };
  const step = (by: 1 | -1) => {
    const next = rows[at + by];
    if (next !== undefined) choose(next);
    else if (by === 1 && inbox.hasNext) toNext();
    else if (by === -1 && inbox.hasPrevious) {
      parameters.set({ candidate: null, of: null, file: null });
      inbox.previous();
    }
  };
  useKey('next', () => step(1));
  useKey('previous', () => step(-1));
  useKey('into', () => document.querySelector<HTMLElement>('.candidate h2')?.focus());
  useKey('back', () => {
    const link = document.querySelector<HTMLElement>('.list-pane a[aria-current]');
    if (link?.offsetParent !== null) link?.focus();
    else go(parameters.address({ candidate: null, of: null, file: null }));
  });
  const chosenKey = chosen === null ? '' : keyOf(chosen);
  useTopOf(chosenKey);
  const isSettled = useStore(settled);
  useEffect(() => {
    if (!isSettled) return;
    for (const row of rows.slice(at + 1, at + 1 + prefetched))
      prefetch('getArtifactCandidate', { scope_id: row.scope_id, candidate_id: row.candidate_id });
    showRow(document.querySelector('.list-pane a[aria-current]'));
  }, [chosenKey, rows.length, isSettled]);
  return (
    <div class={`panes${values.candidate === null ? ' at-list' : ' at-detail'}`}>
      <InboxList
        inbox={inbox}
        rows={rows}
        chosen={chosen === null ? null : chosenKey}
        parameters={parameters}
      />
      {chosen !== null && (
        <CandidateOrigin
          key={chosenKey}
          address={chosen}
          item={item}
          parameters={parameters}
          onDone={toNext}
        />
      )}
    </div>
  );
}

/** Begins each further Candidate at its top. */
function useTopOf(candidate: string): void {
  const before = useRef(candidate);
  useLayoutEffect(() => {
    if (candidate !== before.current) scrollTo(0, 0);
    before.current = candidate;
  }, [candidate]);
}

/** A Candidate with its row of the inbox: that of the list, or the row that a link's Candidate has. */
function CandidateOrigin({
  address,
  item,
  parameters,
  onDone,
}: {
  address: Address;
  item: InboxItem | undefined;
  parameters: ReviewParameters;
  onDone: () => void;
}) {
  const { scope_id, candidate_id } = address;
  const alone = useCall(
    'listCandidateInbox',
    item === undefined ? { selection: { mode: 'exact', scope_ids: [scope_id] }, candidate_id } : null,
    { isBackground: true },
  );
  return (
    <CandidateView
      address={{ scope_id, candidate_id }}
      item={item ?? alone.data?.items[0]}
      parameters={parameters}
      onDone={onDone}
    />
  );
}
