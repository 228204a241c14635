import { useRef, useState } from 'preact/hooks';
import { invalidate, useCall } from '../api/calls.ts';
import { downSince } from '../api/connection.ts';
import { type AnswerOf, call } from '../api/service.ts';
import { may } from '../api/session.ts';
import { useScope } from '../app/scope.tsx';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { rowKeys, useRowKeys } from '../keys/use-rows.ts';
import { choice, id, type PageParameters, useParameters } from '../routing/schema.ts';
import { Stored } from '../text/stored-text.tsx';
import { PageButtons, useCursorPages } from '../ui/cursor-pages.tsx';
import { EnumValue } from '../ui/enum-value.tsx';
import { Select } from '../ui/fields.tsx';
import { announce } from '../ui/messages.ts';
import { PageHead } from '../ui/page.tsx';
import { Answer, Empty, Failure, GoesOn, Loading } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { bytes, number, Time } from '../ui/time.tsx';
import { SourceView } from './source-view.tsx';

const pageRows = 50;

const schema = {
  scope: id(256),
  state: choice('all', 'pending', 'processed', 'not_eligible'),
  type: id(128),
  source: id(256),
};

type SourceParameters = PageParameters<typeof schema>;
type Page = AnswerOf<'listSources'>;
type Summary = Page['items'][number];

/** The page Sources (spec 60 §7.5). */
export function SourcesPage() {
  const parameters = useParameters(schema);
  const scope = useScope();
  return (
    <>
      <PageHead title={t.pages.sources} ignored={parameters.ignored} />
      {scope === undefined ? (
        <Loading rows={8} />
      ) : (
        <OfScope key={scope} scope={scope} parameters={parameters} />
      )}
    </>
  );
}

function OfScope({ scope, parameters }: { scope: string; parameters: SourceParameters }) {
  const { state, type, source } = parameters.values;
  const pages = useCursorPages(JSON.stringify(['sources', scope, state]));
  const list = useCall('listSources', {
    scope_id: scope,
    limit: String(pageRows),
    ...(state !== 'all' && { state }),
    ...(pages.cursor !== null && { cursor: pages.cursor }),
  });
  const items = list.data?.items ?? [];
  const nextCursor = list.data?.next_cursor ?? null;
  useRowKeys({
    names: items.map(({ position }) => String(position)),
    at: items.findIndex((item) => isChosen(item, parameters)),
    choose: (index) => {
      const item = items[index];
      if (item !== undefined) parameters.set({ type: item.source_type, source: item.source_id });
    },
    onBack: () => parameters.set({ type: null, source: null }),
    nextPage: nextCursor === null ? undefined : () => pages.next(nextCursor),
    previousPage: pages.index === 0 ? undefined : pages.previous,
  });
  const filters = useRef<HTMLDivElement>(null);
  useKey('search', () => filters.current?.querySelector('select')?.focus());
  return (
    <div class={`panes${source === null ? ' at-list' : ' at-detail'}`}>
      <section class="list-pane" aria-label={t.pages.sources}>
        <div class="filters" ref={filters} aria-keyshortcuts={shortcutsOf('search')}>
          <Select
            label={t.state}
            value={state}
            options={(['all', 'pending', 'processed', 'not_eligible'] as const).map(
              (one) => [one, t.sourceStates[one]] as const,
            )}
            onChange={(chosen) => parameters.set({ state: chosen, type: null, source: null })}
          />
          {may('writer') && <Flush scope={scope} />}
        </div>
        <Answer call={list} rows={10}>
          {(page) => (
            <>
              <p class="hint">{t.extractedTo(number(page.extraction_cursor), number(page.high_watermark))}</p>
              <Rows page={page} parameters={parameters} />
              {state !== 'all' && page.next_cursor !== null && page.items.length < pageRows && (
                <p class="note">{t.lookedAtSources}</p>
              )}
              {page.items.length === 0 && page.next_cursor === null && (
                <Empty>
                  <p>
                    <strong>{t.noSourcesHere}</strong>
                  </p>
                  <p>{t.noSourcesWhy}</p>
                </Empty>
              )}
              <PageButtons pages={pages} nextCursor={page.next_cursor} />
            </>
          )}
        </Answer>
      </section>
      {source !== null && (
        <SourceView
          key={`${type} ${source}`}
          scope={scope}
          source={{ name: type ?? 'content', source_id: source }}
          toList={parameters.address({ type: null, source: null })}
        />
      )}
    </div>
  );
}

/** The table "Sources". A line at the extraction cursor parts what was extracted from what waits. */
function Rows({ page, parameters }: { page: Page; parameters: SourceParameters }) {
  const { items, extraction_cursor } = page;
  if (items.length === 0) return null;
  const at = items.findIndex((item) => isChosen(item, parameters));
  return (
    <table class="cards" aria-label={t.pages.sources}>
      <thead>
        <tr>
          <th scope="col">{t.source}</th>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.captured}</th>
        </tr>
      </thead>
      <tbody>
        {items.flatMap((item, index) => {
          const isFirstExtracted =
            item.position <= extraction_cursor && (items[index - 1]?.position ?? 0) > extraction_cursor;
          return [
            isFirstExtracted && (
              <tr key="cursor" class="cursor">
                <td colSpan={3}>{t.extractionCursor(number(extraction_cursor))}</td>
              </tr>
            ),
            <Row key={item.position} item={item} keys={rowKeys(index, at)} parameters={parameters} />,
          ];
        })}
      </tbody>
    </table>
  );
}

const isChosen = (item: Summary, { values }: SourceParameters): boolean =>
  values.source === item.source_id && (values.type ?? 'content') === item.source_type;

function Row({
  item,
  keys,
  parameters,
}: {
  item: Summary;
  keys: ReturnType<typeof rowKeys>;
  parameters: SourceParameters;
}) {
  const isCurrent = isChosen(item, parameters);
  return (
    <tr class={isCurrent ? 'chosen' : ''}>
      <td>
        <a
          href={parameters.address({ type: item.source_type, source: item.source_id })}
          {...(isCurrent && { 'aria-current': 'true' as const })}
          {...keys}
        >
          <Stored text={item.excerpt === '' ? item.source_id : item.excerpt} />
        </a>
        <span class="facts">
          {number(item.position)} · <Stored text={item.source_type} /> <Stored text={item.source_id} /> ·{' '}
          {bytes(item.content_bytes)}
        </span>
      </td>
      <td data-label={t.state}>
        <EnumValue value={item.state} phrases={t.sourceStates} />
        {item.record !== null && (
          <>
            {' '}
            · <EnumValue value={item.record} phrases={t.records} />
          </>
        )}
        {item.fallback && ` · ${t.fallback}`}
      </td>
      <td data-label={t.captured} class="short">
        <Time value={item.captured_at} />
      </td>
    </tr>
  );
}

/** The button "Flush": extracts what waits. */
function Flush({ scope }: { scope: string }) {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const isDown = useStore(downSince) !== null;
  const run = async () => {
    setRunning(true);
    setFailure(null);
    try {
      await call('flushMemory', { scope_id: scope });
      announce(t.flushed);
      invalidate('listSources', 'traceSource', 'listMemoryEntries');
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <>
      <button type="button" disabled={isRunning || isDown} onClick={run}>
        {t.flush}
      </button>
      {isRunning && <GoesOn />}
      {failure !== null && <Failure error={failure} />}
    </>
  );
}
