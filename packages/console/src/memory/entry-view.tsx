import { useEffect, useState } from 'preact/hooks';
import { type Call, readCall, useCall } from '../api/calls.ts';
import type { RequestTo } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { addressOf } from '../routing/place.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { PageButtons, useCursorPages } from '../ui/cursor-pages.tsx';
import { EnumValue, KindName } from '../ui/enum-value.tsx';
import { Answer, Failure, Loading } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { EntryActions } from './entry-actions.tsx';
import {
  citationText,
  type EntryEvent,
  type MemoryCitation,
  type MemoryEntry,
  type MemoryParameters,
} from './types.ts';

const pageEvents = 20;

interface EntryProps {
  scope: string;
  artifact: string;
  entry: string;
  /** Of a link to one event. */
  revision: number | null;
  parameters: MemoryParameters;
}

/** The region "Entry": the entry as it is, or as a linked event left it, with its timeline. */
export function EntryView({ scope, artifact, entry, revision, parameters }: EntryProps) {
  const pages = useCursorPages(JSON.stringify(['events', scope, artifact, entry]));
  const firstPage = {
    scope_id: scope,
    artifact_id: artifact,
    entry_id: entry,
    limit: pageEvents,
    cursor: null,
  };
  const request = { ...firstPage, cursor: pages.cursor };
  const call = useCall('listMemoryEntryHistory', request);
  const newest = useCall('listMemoryEntryHistory', firstPage);
  const first = newest.data?.events[0];
  const listed =
    revision === null ? first : call.data?.events.find((event) => revisionOf(event) === revision);
  const exact = useExactEvent(
    { scope, artifact, entry },
    call.data === undefined || listed !== undefined ? null : revision,
  );
  const shown = listed ?? exact.data;
  return (
    <section class="candidate" aria-label={t.entry}>
      <a
        class="to-list"
        href={parameters.address({ entry: null, revision: null, artifact: null })}
        aria-keyshortcuts={shortcutsOf('back')}
      >
        ← {t.entries}
      </a>
      <Answer call={call} rows={6}>
        {(history) => (
          <>
            {shown === undefined && revision !== null && <Missing revision={revision} call={exact} />}
            {shown !== undefined && (
              <Shown
                scope={scope}
                memory={newest.data?.memory ?? history.memory}
                event={shown}
                isHead={first !== undefined && revisionOf(shown) === revisionOf(first)}
                onChanged={newest.refetch}
                headAddress={parameters.address({ revision: null })}
                successorAddress={(entry) => parameters.address({ entry, revision: null })}
              />
            )}
            <h3>{t.timeline}</h3>
            <Timeline
              events={history.events}
              next={history.next_cursor === null ? null : { ...request, cursor: history.next_cursor }}
              parameters={parameters}
              revision={shown === undefined ? null : revisionOf(shown)}
            />
            <PageButtons pages={pages} nextCursor={history.next_cursor} />
          </>
        )}
      </Answer>
      {call.error !== null && call.data === undefined && (
        <p>
          <code>{entry}</code>
        </p>
      )}
    </section>
  );
}

const revisionOf = ({ entry }: EntryEvent): number => entry.citation.memory_ref.revision;

/**
 * The event of an entry at a revision that the page of the timeline does not have. Two calls find it, however long the timeline is: the
 * changes of that revision name the version, and its citation is exact for ever.
 */
function useExactEvent(
  { scope, artifact, entry }: { scope: string; artifact: string; entry: string },
  revision: number | null,
): Call<EntryEvent | undefined> {
  // Only the Scope Memory lists its changes.
  const isAsked = revision !== null && artifact === 'memory';
  const changes = useCall(
    'listMemoryChanges',
    isAsked ? { scope_id: scope, since_revision: revision - 1, limit: 1 } : null,
    { isImmutable: true },
  );
  const change = changes.data?.revisions[0]?.changes.find(({ entry_id }) => entry_id === entry);
  const versionId = change?.to_entry_version_id ?? change?.from_entry_version_id ?? null;
  const cited = useCall(
    'getMemoryEntry',
    !isAsked || versionId === null
      ? null
      : {
          scope_id: scope,
          citation: {
            memory_ref: { family: 'memory', artifact_id: artifact, revision },
            entry_id: entry,
            entry_version_id: versionId,
          },
        },
    { isImmutable: true },
  );
  const call = versionId === null ? changes : cited;
  const data =
    change === undefined || cited.data === undefined
      ? undefined
      : { op: change.op, at: null, reason: change.reason, entry: cited.data };
  return { ...call, data };
}

function Missing({ revision, call }: { revision: number; call: Call<EntryEvent | undefined> }) {
  if (call.error !== null) return <Failure error={call.error} onRetry={call.refetch} />;
  return call.isLoading ? <Loading rows={3} /> : <p class="note">{t.noSuchEvent(revision)}</p>;
}

function Shown({
  scope,
  memory,
  event,
  isHead,
  onChanged,
  headAddress,
  successorAddress,
}: {
  scope: string;
  memory: MemoryCitation['memory_ref'];
  event: EntryEvent;
  isHead: boolean;
  onChanged: () => void;
  headAddress: string;
  successorAddress: (entry: string) => string;
}) {
  const { entry } = event;
  return (
    <>
      <h2 tabIndex={-1}>
        <KindName kind={entry.kind} /> · {t.version(entry.version)}
      </h2>
      <p class="facts">
        {entry.state === 'active' ? t.active : t.retired} · {t.revision(entry.citation.memory_ref.revision)} ·{' '}
        {event.at !== null && <Time value={event.at} />}{' '}
        <CopyButton label={t.copyCitation} text={citationText(entry.citation)} />{' '}
        <a href={addressOf('why', { scope }, { not: citationText(entry.citation) })}>{t.explain}</a>
      </p>
      {!isHead && (
        <p class="note">
          {t.olderEvent} <a href={headAddress}>{t.showCurrent}</a>
        </p>
      )}
      <HiddenNote texts={[entry.text]} />
      <StoredBlock text={entry.text} />
      <Validity entry={entry} successorAddress={successorAddress} />
      <References scope={scope} entry={entry} />
      {isHead && (
        <EntryActions
          key={entry.citation.entry_version_id}
          scope={scope}
          entry={{ ...entry, citation: { ...entry.citation, memory_ref: memory } }}
          onChanged={onChanged}
        />
      )}
    </>
  );
}

/** When the statement holds, and what took its place; nothing for an entry without validity. */
function Validity({
  entry: { valid_from, valid_until, superseded_by },
  successorAddress,
}: {
  entry: MemoryEntry;
  successorAddress: (entry: string) => string;
}) {
  if (valid_from === undefined && valid_until === undefined) return null;
  const hasEnded = valid_until !== undefined && Date.parse(valid_until) <= Date.now();
  return (
    <p class="facts">
      {valid_from !== undefined && (
        <>
          {t.holdsFrom} <Time value={valid_from} />
        </>
      )}
      {valid_from !== undefined && valid_until !== undefined && ' · '}
      {valid_until !== undefined && (
        <>
          {hasEnded ? t.heldUntil : t.holdsUntil} <Time value={valid_until} />
        </>
      )}
      {superseded_by !== undefined && (
        <>
          {' · '}
          <a href={successorAddress(superseded_by)}>{t.supersededBy}</a>
        </>
      )}
    </p>
  );
}

function References({ scope, entry }: { scope: string; entry: MemoryEntry }) {
  const { source_refs, artifact_refs } = entry;
  if (source_refs.length + artifact_refs.length === 0) return <p class="hint">{t.noSources}</p>;
  return (
    <ul class="rows plain" aria-label={t.evidence}>
      {source_refs.map(({ name, source_id }) => (
        <li key={`${name} ${source_id}`}>
          <a href={addressOf('sources', { scope, type: name, source: source_id })}>
            {t.evidenceKinds.source} <Stored text={source_id} />
          </a>
        </li>
      ))}
      {artifact_refs.map(({ family, artifact_id, revision }) => (
        <li key={`${family} ${artifact_id} ${revision}`}>
          <code>{`${family}/${artifact_id}@${revision}`}</code>
        </li>
      ))}
    </ul>
  );
}

function Timeline({
  events,
  next,
  parameters,
  revision: chosen,
}: {
  events: EntryEvent[];
  /** What reads the next page; null on the last one. */
  next: RequestTo<'listMemoryEntryHistory'> | null;
  parameters: MemoryParameters;
  /** Of the event that is shown. */
  revision: number | null;
}) {
  return (
    <ol class="rows" aria-label={t.timeline}>
      {events.map((event, index) => {
        const revision = revisionOf(event);
        return (
          <li key={revision}>
            <a
              href={parameters.address({ revision })}
              {...(revision === chosen && { 'aria-current': 'true' as const })}
            >
              <strong>
                <EnumValue value={event.op} phrases={t.changeOps} />
              </strong>{' '}
              · {t.revision(revision)} · {t.version(event.entry.version)}
              {event.at !== null && (
                <>
                  {' '}
                  · <Time value={event.at} />
                </>
              )}
              {event.reason !== null && (
                <>
                  {' '}
                  · <Stored text={event.reason} />
                </>
              )}
            </a>
            <Change event={event} before={events[index + 1]} next={next} />
          </li>
        );
      })}
    </ol>
  );
}

/** What an event changed of the text, against the version before it, which may be the first one of the next page. */
function Change({
  event,
  before,
  next,
}: {
  event: EntryEvent;
  before: EntryEvent | undefined;
  next: RequestTo<'listMemoryEntryHistory'> | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const [read, setRead] = useState<EntryEvent | undefined>(undefined);
  const earlier = before ?? read;
  useEffect(() => {
    if (isOpen && before === undefined && next !== null)
      readCall('listMemoryEntryHistory', next).then(
        ({ events }) => setRead(events[0]),
        () => setOpen(false),
      );
  }, [isOpen, before, next?.cursor]);
  if (event.op !== 'revise' || (before === undefined && next === null)) return null;
  return (
    <details open={isOpen} onToggle={(toggled) => setOpen(toggled.currentTarget.open)}>
      <summary>{t.differenceToVersion(event.entry.version - 1)}</summary>
      {isOpen && earlier !== undefined && (
        <DifferenceView
          before={earlier.entry.text}
          after={event.entry.text}
          label={t.differenceOf(String(earlier.entry.version), String(event.entry.version))}
        />
      )}
    </details>
  );
}
