import { useRef, useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import { may } from '../api/session.ts';
import { useScope } from '../app/scope.tsx';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { useRowKeys } from '../keys/use-rows.ts';
import { useParameters, useTyped } from '../routing/schema.ts';
import { type CursorPages, PageButtons, useCursorPages } from '../ui/cursor-pages.tsx';
import { useDebounced } from '../ui/debounce.ts';
import { Select } from '../ui/fields.tsx';
import { PageHead } from '../ui/page.tsx';
import { Answer, Empty, Loading } from '../ui/states.tsx';
import { EntriesTable, type EntryRow } from './entries-table.tsx';
import { EntryView } from './entry-view.tsx';
import { RememberForm } from './remember-form.tsx';
import { knownKinds, type MemoryParameters, memorySchema } from './types.ts';

const pageRows = 50;

/** The page Memory (spec 60 §7.5). */
export function MemoryPage() {
  const parameters = useParameters(memorySchema);
  const scope = useScope();
  return (
    <>
      <PageHead title={t.pages.memory} ignored={parameters.ignored} />
      {scope === undefined ? (
        <Loading rows={8} />
      ) : (
        <OfScope key={scope} scope={scope} parameters={parameters} />
      )}
    </>
  );
}

function OfScope({ scope, parameters }: { scope: string; parameters: MemoryParameters }) {
  const [text, setText] = useTyped('q');
  const query = useDebounced(text.trim());
  const [isRemembering, setRemembering] = useState(false);
  const { values } = parameters;
  return (
    <div class={`panes${values.entry === null ? ' at-list' : ' at-detail'}`}>
      <section class="list-pane" aria-label={t.pages.memory}>
        <Filters parameters={parameters} text={text} onText={setText} />
        {may('writer') && (
          <button type="button" onClick={() => setRemembering(!isRemembering)} aria-expanded={isRemembering}>
            {t.remember}
          </button>
        )}
        {isRemembering && <RememberForm scope={scope} onClose={() => setRemembering(false)} />}
        {query === '' ? (
          <Listed scope={scope} parameters={parameters} />
        ) : (
          <Found scope={scope} parameters={parameters} query={query} />
        )}
      </section>
      {values.entry !== null && (
        <EntryView
          key={`${values.artifact} ${values.entry}`}
          scope={scope}
          artifact={values.artifact ?? 'memory'}
          entry={values.entry}
          revision={values.revision}
          parameters={parameters}
        />
      )}
    </div>
  );
}

function Filters({
  parameters: { values, set },
  text,
  onText,
}: {
  parameters: MemoryParameters;
  text: string;
  onText: (text: string) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  useKey('search', () => field.current?.focus());
  const kinds = [
    ...knownKinds,
    ...(values.kind !== null && !(knownKinds as readonly string[]).includes(values.kind)
      ? [values.kind]
      : []),
  ];
  return (
    <>
      <div class="field wide">
        <label for="search-memory">{t.searchMemory}</label>
        <input
          ref={field}
          id="search-memory"
          type="search"
          dir="auto"
          maxLength={8192}
          value={text}
          aria-keyshortcuts={shortcutsOf('search')}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      </div>
      <div class="filters">
        <Select
          label={t.mode}
          value={values.mode}
          options={(['auto', 'fts', 'vector', 'hybrid'] as const).map(
            (mode) => [mode, t.modes[mode]] as const,
          )}
          onChange={(mode) => set({ mode })}
        />
        <Select
          label={t.kind}
          value={values.kind ?? ''}
          options={[
            ['', t.allKinds] as const,
            ...kinds.map((kind) => [kind, t.kinds[kind as keyof typeof t.kinds] ?? kind] as const),
          ]}
          onChange={(kind) => set({ kind: kind === '' ? null : kind })}
        />
        <Select
          label={t.state}
          value={values.state}
          options={(['active', 'all'] as const).map((state) => [state, t.entryStates[state]] as const)}
          onChange={(state) => set({ state })}
        />
        <Select
          label={t.order}
          value={values.order}
          options={(['newest', 'oldest'] as const).map((order) => [order, t.orders[order]] as const)}
          onChange={(order) => set({ order })}
        />
      </div>
    </>
  );
}

function Listed({ scope, parameters }: { scope: string; parameters: MemoryParameters }) {
  const { kind, state, order } = parameters.values;
  const pages = useCursorPages(JSON.stringify(['entries', scope, kind, state, order]));
  const call = useCall('listMemoryEntries', {
    scope_id: scope,
    order,
    kind,
    include_inactive: state === 'all',
    limit: pageRows,
    cursor: pages.cursor,
  });
  return (
    <Answer call={call} rows={10}>
      {({ entries, next_cursor, other_memories }) => (
        <>
          <Rows
            rows={entries.map((entry): EntryRow => ({ entry }))}
            parameters={parameters}
            pages={pages}
            nextCursor={next_cursor}
          />
          {kind !== null && next_cursor !== null && entries.length < pageRows && (
            <p class="note">{t.lookedAt}</p>
          )}
          {other_memories !== undefined && <p class="note">{t.otherMemories(other_memories)}</p>}
          {entries.length === 0 && next_cursor === null && (
            <Empty>
              <p>
                <strong>{t.noEntries}</strong>
              </p>
              <p>{t.noEntriesWhy}</p>
            </Empty>
          )}
          <PageButtons pages={pages} nextCursor={next_cursor} />
        </>
      )}
    </Answer>
  );
}

function Found({ scope, parameters, query }: { scope: string; parameters: MemoryParameters; query: string }) {
  const { kind, state, order } = parameters.values;
  const isFiltered = kind !== null || state !== 'active' || order !== 'newest';
  const call = useCall('searchMemory', {
    scope_id: scope,
    query,
    mode: parameters.values.mode,
    limit: pageRows,
  });
  return (
    <Answer call={call} rows={10}>
      {({ hits, mode, reason }) => (
        <>
          {mode !== null && <p class="hint">{t.searchedBy(t.modes[mode], hits.length)}</p>}
          {isFiltered && <p class="hint">{t.filtersOfList}</p>}
          {reason !== undefined && (
            <Empty>
              <p>{t.emptySearch[reason]}</p>
            </Empty>
          )}
          <Rows rows={hits.map((hit): EntryRow => ({ hit }))} parameters={parameters} />
        </>
      )}
    </Answer>
  );
}

function Rows({
  rows,
  parameters,
  pages,
  nextCursor = null,
}: {
  rows: EntryRow[];
  parameters: MemoryParameters;
  /** Of a list; a search has one page. */
  pages?: CursorPages;
  nextCursor?: string | null;
}) {
  const names = rows.map((row) => ('hit' in row ? row.hit : row.entry).citation.entry_id);
  const open = (entry: string | null) => parameters.set({ entry, revision: null, artifact: null });
  useRowKeys({
    names,
    at: names.indexOf(parameters.values.entry ?? ''),
    choose: (index) => open(names[index] ?? null),
    onBack: () => open(null),
    ...(pages !== undefined && {
      nextPage: nextCursor === null ? undefined : () => pages.next(nextCursor),
      previousPage: pages.index === 0 ? undefined : pages.previous,
    }),
  });
  return (
    <EntriesTable
      rows={rows}
      chosen={parameters.values.entry}
      addressOf={(entry, artifact) =>
        parameters.address({ entry, revision: null, artifact: artifact === 'memory' ? null : artifact })
      }
    />
  );
}
