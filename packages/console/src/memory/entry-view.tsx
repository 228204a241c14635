import { useEffect, useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { addressOf } from '../routing/place.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { PageButtons, useCursorPages } from '../ui/cursor-pages.tsx';
import { Answer } from '../ui/states.tsx';
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
/** Pages that a link to an old event reads at most. */
const maxLinkedPages = 50;

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
  const pages = useCursorPages(entry);
  const call = useCall('listMemoryEntryHistory', {
    scope_id: scope,
    artifact_id: artifact,
    entry_id: entry,
    limit: pageEvents,
    cursor: pages.cursor,
  });
  const events = call.data?.events ?? [];
  const linked =
    revision === null
      ? events[0]
      : events.find(({ entry: { citation } }) => citation.memory_ref.revision === revision);
  const nextCursor = call.data?.next_cursor ?? null;
  const isSought =
    revision !== null && linked === undefined && nextCursor !== null && pages.index < maxLinkedPages;
  useEffect(() => {
    if (isSought && nextCursor !== null) pages.next(nextCursor);
  });
  const [head, setHead] = useState<EntryEvent | undefined>(undefined);
  const first = pages.index === 0 ? events[0] : head;
  useEffect(() => {
    if (pages.index === 0 && events[0] !== undefined) setHead(events[0]);
  }, [pages.index, events[0]]);
  const shown = linked ?? first;
  return (
    <section class="candidate" aria-label={t.entry}>
      <a class="to-list" href={parameters.address({ entry: null, revision: null, artifact: null })}>
        ← {t.entries}
      </a>
      <Answer call={call} rows={6}>
        {(history) => (
          <>
            {shown !== undefined && (
              <Shown
                scope={scope}
                memory={history.memory}
                event={shown}
                isHead={
                  shown.entry.citation.memory_ref.revision === first?.entry.citation.memory_ref.revision
                }
                onChanged={call.refetch}
                headAddress={parameters.address({ revision: null })}
              />
            )}
            <h3>{t.timeline}</h3>
            <Timeline events={history.events} parameters={parameters} chosen={shown} />
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

function Shown({
  scope,
  memory,
  event,
  isHead,
  onChanged,
  headAddress,
}: {
  scope: string;
  memory: MemoryCitation['memory_ref'];
  event: EntryEvent;
  isHead: boolean;
  onChanged: () => void;
  headAddress: string;
}) {
  const { entry } = event;
  return (
    <>
      <h2 tabIndex={-1}>
        <Stored text={entry.kind} /> · {t.version(entry.version)}
      </h2>
      <p class="facts">
        {entry.state === 'active' ? t.active : t.retired} · {t.revision(entry.citation.memory_ref.revision)} ·{' '}
        <Time value={event.at} /> <CopyButton label={t.copyCitation} text={citationText(entry.citation)} />
      </p>
      {!isHead && (
        <p class="note">
          {t.olderEvent} <a href={headAddress}>{t.showCurrent}</a>
        </p>
      )}
      <HiddenNote texts={[entry.text]} />
      <StoredBlock text={entry.text} />
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
  parameters,
  chosen,
}: {
  events: EntryEvent[];
  parameters: MemoryParameters;
  chosen: EntryEvent | undefined;
}) {
  return (
    <ol class="rows" aria-label={t.timeline}>
      {events.map((event, index) => {
        const { revision } = event.entry.citation.memory_ref;
        return (
          <li key={revision}>
            <a
              href={parameters.address({ revision })}
              {...(event === chosen && { 'aria-current': 'true' as const })}
            >
              <strong>{t.changeOps[event.op]}</strong> · {t.revision(revision)} ·{' '}
              {t.version(event.entry.version)} · <Time value={event.at} />
              {event.reason !== null && (
                <>
                  {' '}
                  · <Stored text={event.reason} />
                </>
              )}
            </a>
            <Change event={event} before={events[index + 1]} />
          </li>
        );
      })}
    </ol>
  );
}

/** What an event changed of the text. */
function Change({ event, before }: { event: EntryEvent; before: EntryEvent | undefined }) {
  const [isOpen, setOpen] = useState(false);
  if (before === undefined || before.entry.text === event.entry.text) return null;
  return (
    <details onToggle={(toggled) => setOpen(toggled.currentTarget.open)}>
      <summary>{t.differenceToVersion(before.entry.version)}</summary>
      {isOpen && (
        <DifferenceView
          before={before.entry.text}
          after={event.entry.text}
          label={t.differenceOf(String(before.entry.version), String(event.entry.version))}
        />
      )}
    </details>
  );
}
