import { useState } from 'preact/hooks';
import { type Call, useCall } from '../api/calls.ts';
import type { AnswerOf } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { EntryActions } from '../memory/entry-actions.tsx';
import { addressOf } from '../routing/place.ts';
import { usePassages } from '../text/compare.ts';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { EnumValue, KindName } from '../ui/enum-value.tsx';
import { Answer } from '../ui/states.tsx';
import { bytes, number, Time } from '../ui/time.tsx';

type Trace = AnswerOf<'traceSource'>;
type Extracted = Trace['entries'][number];

/** The region "Source": text, metadata, and what extraction made of it. */
export function SourceView({
  scope,
  source,
  toList,
}: {
  scope: string;
  source: { name: string; source_id: string };
  /** Address of the page without the Source. */
  toList: string;
}) {
  const content = useCall(
    'getSource',
    { scope_id: scope, source_type: source.name, source_id: source.source_id },
    { isImmutable: true },
  );
  const trace = useCall('traceSource', { scope_id: scope, source });
  return (
    <section class="candidate" aria-label={t.source}>
      <a class="to-list" href={toList} aria-keyshortcuts={shortcutsOf('back')}>
        ← {t.pages.sources}
      </a>
      <h2 tabIndex={-1}>
        <Stored text={source.source_id} />
      </h2>
      <Answer call={trace} rows={2}>
        {({ source: summary, metadata }) => <Facts summary={summary} metadata={metadata} />}
      </Answer>
      <Answer call={content} rows={4}>
        {({ content: value }) => (
          <Text
            text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
            entries={trace.data?.entries ?? []}
          />
        )}
      </Answer>
      <h3>{t.extractedEntries}</h3>
      <Entries scope={scope} trace={trace} />
    </section>
  );
}

function Facts({ summary, metadata }: { summary: Trace['source']; metadata: Trace['metadata'] }) {
  return (
    <>
      <p class="facts">
        {t.position(number(summary.position))} · <Stored text={summary.source_type} /> ·{' '}
        {bytes(summary.content_bytes)} · <EnumValue value={summary.state} phrases={t.sourceStates} /> ·{' '}
        <Time value={summary.captured_at} />
        {summary.record !== null && (
          <>
            {' '}
            · <EnumValue value={summary.record} phrases={t.records} />
          </>
        )}
      </p>
      <p class="facts">
        <code>{summary.content_digest}</code>
      </p>
      {summary.fallback && <p class="note warning">{t.fallbackWhy}</p>}
      {metadata !== null && (
        <details>
          <summary>{t.metadata}</summary>
          <StoredBlock text={JSON.stringify(metadata, null, 2)} />
        </details>
      )}
    </>
  );
}

/** The text, in which what stands verbatim in an extracted entry is marked. */
function Text({ text, entries }: { text: string; entries: Extracted[] }) {
  const extracted = entries.map(({ then }) => then.text);
  const { second } = usePassages(extracted.length === 0 ? undefined : extracted.join('\n'), text);
  const whole = extracted.filter((one) => text.includes(one));
  return (
    <>
      <HiddenNote texts={[text]} />
      <StoredBlock text={text} marks={[...whole, ...second]} />
    </>
  );
}

function Entries({ scope, trace }: { scope: string; trace: Call<Trace> }) {
  const [focused, setFocused] = useState(0);
  return (
    <Answer call={trace}>
      {({ source, traced, memory, entries, more }) => (
        <>
          {!traced && <p class="note">{t.notTraced}</p>}
          {traced && entries.length === 0 && (
            <p class="note">
              {source.state === 'processed' ? t.nothingExtracted : t.notExtracted[source.state]}
            </p>
          )}
          <ul class="rows plain" aria-label={t.extractedEntries}>
            {entries.map((extracted, index) => (
              <li key={extracted.now.citation.entry_id} onFocusIn={() => setFocused(index)}>
                <Entry
                  scope={scope}
                  extracted={extracted}
                  hasKeys={index === focused}
                  onChanged={trace.refetch}
                />
              </li>
            ))}
          </ul>
          {more > 0 && <p class="note">{t.andMore(more)}</p>}
          {memory !== null && <p class="hint">{t.flushRevision(memory.revision)}</p>}
        </>
      )}
    </Answer>
  );
}

/** An extracted entry: as the flush wrote it, and as it is now. */
function Entry({
  scope,
  extracted: { then: written, now },
  hasKeys,
  onChanged,
}: {
  scope: string;
  extracted: Extracted;
  /** The letters act on this entry. */
  hasKeys: boolean;
  onChanged: () => void;
}) {
  const isChanged =
    written.citation.entry_version_id !== now.citation.entry_version_id || now.state !== written.state;
  return (
    <>
      <p>
        <strong>
          <KindName kind={now.kind} />
        </strong>{' '}
        · <a href={addressOf('memory', { scope, entry: now.citation.entry_id })}>{t.version(now.version)}</a>
        {now.state === 'inactive' && <em class="bad"> · {t.retired}</em>}
      </p>
      {isChanged && (
        <>
          <p class="hint">{t.asExtracted}</p>
          <StoredBlock text={written.text} />
          <p class="hint">{t.now}</p>
        </>
      )}
      <StoredBlock text={now.text} />
      <EntryActions
        key={now.citation.entry_version_id}
        scope={scope}
        entry={now}
        hasKeys={hasKeys}
        onChanged={onChanged}
      />
    </>
  );
}
