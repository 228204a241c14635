import { useRef } from 'preact/hooks';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { rowKeys } from '../keys/use-rows.ts';
import { Stored } from '../text/stored-text.tsx';
import { EnumValue } from '../ui/enum-value.tsx';
import { Select } from '../ui/fields.tsx';
import { Answer, Empty } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { number, Time } from '../ui/time.tsx';
import { decided, type Inbox, keyOf } from './inbox.ts';
import type { ReviewParameters } from './parameters.ts';
import type { InboxItem } from './types.ts';

/** The list "Candidates" with its filters. */
export function InboxList({
  inbox,
  rows,
  chosen,
  parameters,
}: {
  inbox: Inbox;
  rows: readonly InboxItem[];
  chosen: string | null;
  parameters: ReviewParameters;
}) {
  const at = rows.findIndex((item) => keyOf(item) === chosen);
  // Rows that were decided since the list was read.
  const hidden = inbox.items.length - rows.length;
  return (
    <section class="list-pane" aria-label={t.candidates}>
      <FilterBar parameters={parameters} />
      {inbox.arrivals.count > 0 && (
        <button type="button" class="arrivals" onClick={inbox.reload}>
          {t.newCount(`${inbox.arrivals.count}${inbox.arrivals.isMore ? '+' : ''}`)}
        </button>
      )}
      <Answer call={inbox.call} rows={8}>
        {({ total }) => (
          <>
            {rows.length === 0 && !inbox.hasNext && (
              <NothingWaits isPending={parameters.values.status === 'pending'} />
            )}
            <ul class="rows" aria-label={t.candidates}>
              {rows.map((item, index) => (
                <li key={keyOf(item)}>
                  <RowLink
                    item={item}
                    isChosen={index === at}
                    keys={rowKeys(index, at)}
                    parameters={parameters}
                  />
                </li>
              ))}
            </ul>
            <p class="parts">
              {rows.length > 0 && (
                <span>
                  {t.rangeOf(
                    number(inbox.offset + 1),
                    number(inbox.offset + rows.length),
                    total.exact ? number(total.value - hidden) : t.moreThan(number(total.value)),
                  )}
                </span>
              )}
              {(inbox.hasPrevious || inbox.hasNext) && (
                <>
                  <button type="button" disabled={!inbox.hasPrevious} onClick={inbox.previous}>
                    {t.previousPage}
                  </button>
                  <button type="button" disabled={!inbox.hasNext} onClick={inbox.next}>
                    {t.nextPage}
                  </button>
                </>
              )}
            </p>
          </>
        )}
      </Answer>
    </section>
  );
}

function NothingWaits({ isPending }: { isPending: boolean }) {
  return (
    <Empty>
      <p>
        <strong>{isPending ? t.nothingWaits : t.nothingHere}</strong>
      </p>
      <p>{isPending ? t.nothingWaitsWhy : t.nothingHereWhy}</p>
    </Empty>
  );
}

function FilterBar({ parameters: { values, set } }: { parameters: ReviewParameters }) {
  const bar = useRef<HTMLDivElement>(null);
  useKey('search', () => bar.current?.querySelector('select')?.focus());
  const change = (changes: Parameters<typeof set>[0]) =>
    set({ ...changes, candidate: null, of: null, tab: 'proposal', file: null });
  return (
    <div class="filters" ref={bar} aria-keyshortcuts={shortcutsOf('search')}>
      <Select
        label={t.status}
        value={values.status}
        options={(['pending', 'approved', 'rejected'] as const).map(
          (status) => [status, t.statuses[status]] as const,
        )}
        onChange={(status) => change({ status })}
      />
      <Select
        label={t.family}
        value={values.family}
        options={(['all', 'experience', 'skill'] as const).map(
          (family) => [family, t.families[family]] as const,
        )}
        onChange={(family) => change({ family })}
      />
      <Select
        label={t.origin}
        value={values.origin}
        options={(
          ['all', 'proposed', 'generated', 'incubated', 'uploaded', 'imported', 'forked'] as const
        ).map((origin) => [origin, t.origins[origin]] as const)}
        onChange={(origin) => change({ origin })}
      />
      <Select
        label={t.scopes}
        value={values.within}
        options={(['all', 'scope', 'subtree'] as const).map(
          (within) => [within, t.selections[within]] as const,
        )}
        onChange={(within) => change({ within })}
      />
      <Select
        label={t.order}
        value={values.order}
        options={(['oldest', 'newest'] as const).map((order) => [order, t.orders[order]] as const)}
        onChange={(order) => change({ order })}
      />
    </div>
  );
}

function RowLink({
  item,
  isChosen,
  keys,
  parameters,
}: {
  item: InboxItem;
  isChosen: boolean;
  keys: ReturnType<typeof rowKeys>;
  parameters: ReviewParameters;
}) {
  const status = useStore(decided).get(keyOf(item)) ?? item.status;
  const address = parameters.address({
    candidate: item.candidate_id,
    of: item.scope_id,
    tab: 'proposal',
    file: null,
  });
  return (
    <a
      href={address}
      data-key={keyOf(item)}
      class={status === 'pending' ? '' : 'decided'}
      {...(isChosen && { 'aria-current': 'true' as const })}
      {...keys}
    >
      <strong>
        <Stored text={item.title} />
      </strong>
      <span class="facts">
        <EnumValue value={item.family} phrases={t.families} /> ·{' '}
        <EnumValue value={item.origin} phrases={t.origins} /> ·{' '}
        {item.target === null ? t.isNew : t.replacesRevision(item.target.revision)} ·{' '}
        {t.evidenceCount(item.source_count + item.artifact_count)}
        {item.executable_count !== null &&
          item.executable_count > 0 &&
          ` · ${t.executables(item.executable_count)}`}
      </span>
      <span class="facts">
        <Stored text={item.scope_title} /> · <Time value={item.created_at} />
        {item.stale !== null && status === 'pending' && (
          <em>
            {' '}
            · <EnumValue value={item.stale} phrases={t.stale} />
          </em>
        )}
        {status !== 'pending' && (
          <em>
            {' '}
            · <EnumValue value={status} phrases={t.statuses} />
          </em>
        )}
        {item.decided_at !== null && (
          <>
            {' '}
            <Time value={item.decided_at} />
          </>
        )}
        {item.decided_by !== null && (
          <>
            {' '}
            · <Stored text={item.decided_by.label} />
          </>
        )}
      </span>
    </a>
  );
}
