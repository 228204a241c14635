import { useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import type { AnswerOf } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { citationText } from '../memory/types.ts';
import { Content } from '../review/proposal-view.tsx';
import { refText, type SourceRef } from '../review/types.ts';
import { addressOf } from '../routing/place.ts';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Answer } from '../ui/states.tsx';
import { number } from '../ui/time.tsx';
import { experienceText, readPreparedBlock } from './prepared-block.ts';

export type Explanation = AnswerOf<'explainContext'>;
type Item = Explanation['items'][number];

const isTaken = ({ outcome }: Item): boolean => outcome === 'included' || outcome === 'truncated';

/** The table "Candidates": each with its outcome. A row opens its text. */
export function Candidates({ scope, explanation }: { scope: string; explanation: Explanation }) {
  const [opened, open] = useState<number | null>(null);
  const { items, terms, prepared } = explanation;
  // What is in comes first, in the order of the context.
  const taken = prepared.content === null ? [] : (readPreparedBlock(prepared.content) ?? []);
  const inOrder = items.filter(isTaken);
  if (items.length === 0) return null;
  return (
    <table class="cards" aria-label={t.candidatesOfContext}>
      <thead>
        <tr>
          <th scope="col">{t.number}</th>
          <th scope="col">{t.text}</th>
          <th scope="col">{t.outcome}</th>
          <th scope="col">{t.scoreHead}</th>
          <th scope="col">{t.words}</th>
          <th scope="col">{t.meaning}</th>
          <th scope="col">{t.bytesHead}</th>
        </tr>
      </thead>
      <tbody>
        {items.flatMap((item, index) => [
          <tr key={index}>
            <td data-label={t.number} class="short">
              {index + 1}
            </td>
            <td>
              <button
                type="button"
                class="quiet"
                aria-expanded={opened === index}
                onClick={() => open(opened === index ? null : index)}
              >
                <Stored text={item.excerpt} />
              </button>
              <span class="facts">
                {t.families[item.family as 'experience'] ?? t.pages.memory}
                {item.scope_id !== scope && (
                  <>
                    {' '}
                    · <Stored text={item.scope_id} />
                  </>
                )}
              </span>
            </td>
            <td data-label={t.outcome} title={item.outcome} class="short">
              {t.outcomes[item.outcome]}
            </td>
            <td data-label={t.scoreHead} class="short">
              {item.score.toFixed(2)}
            </td>
            <td data-label={t.words}>
              {item.channels.lexical.matched.slice(0, 12).map((at) => {
                const term = terms[at];
                return (
                  term !== undefined && (
                    <span key={at}>
                      <Stored text={term.text} />
                      {term.is_rare && ` (${t.rare})`}{' '}
                    </span>
                  )
                );
              })}
            </td>
            <td data-label={t.meaning} class="short">
              {item.channels.vector === null ? '–' : item.channels.vector.similarity.toFixed(2)}
            </td>
            <td data-label={t.bytesHead} class="short">
              {item.item_bytes === null
                ? t.needsBytes(
                    number(item.text_bytes),
                    item.room_bytes === null ? null : number(item.room_bytes),
                  )
                : number(item.item_bytes)}
            </td>
          </tr>,
          opened === index && (
            <tr key={`open ${index}`}>
              <td colSpan={7}>
                <Opened item={item} kept={taken[inOrder.indexOf(item)]?.text} />
              </td>
            </tr>
          ),
        ])}
      </tbody>
    </table>
  );
}

/** The text of an item. `kept`: what the context has of it, if it is in. */
function Opened({ item, kept }: { item: Item; kept: string | undefined }) {
  const shown = item.outcome === 'truncated' ? kept?.replace(/…$/, '') : undefined;
  if (item.citation !== null)
    return <OpenedEntry scope={item.scope_id} citation={item.citation} kept={shown} />;
  return item.artifact_ref === null ? null : (
    <OpenedExperience scope={item.scope_id} artifact={item.artifact_ref} kept={shown} />
  );
}

/** A text, in two parts where the context has its beginning only. */
function CutText({ text, kept }: { text: string; kept: string | undefined }) {
  const isCut = kept !== undefined && text.startsWith(kept) && kept.length < text.length;
  return (
    <>
      <HiddenNote texts={[text]} />
      <StoredBlock text={isCut ? kept : text} />
      {isCut && (
        <>
          <p class="hint">{t.cutOff(text.length - kept.length)}</p>
          <StoredBlock text={text.slice(kept.length)} />
        </>
      )}
    </>
  );
}

function OpenedEntry({
  scope,
  citation,
  kept,
}: {
  scope: string;
  citation: NonNullable<Item['citation']>;
  kept: string | undefined;
}) {
  const call = useCall('getMemoryEntry', { scope_id: scope, citation }, { isImmutable: true });
  const { artifact_id } = citation.memory_ref;
  return (
    <Answer call={call}>
      {({ text, source_refs }) => (
        <>
          <CutText text={text} kept={kept} />
          <p class="facts">
            <CopyButton label={t.copyCitation} text={citationText(citation)} />{' '}
            <a
              href={addressOf('memory', {
                scope,
                entry: citation.entry_id,
                artifact: artifact_id === 'memory' ? null : artifact_id,
              })}
            >
              {t.timeline}
            </a>{' '}
            <SourceLinks scope={scope} sources={source_refs} />
          </p>
        </>
      )}
    </Answer>
  );
}

function SourceLinks({ scope, sources }: { scope: string; sources: SourceRef[] }) {
  return (
    <>
      {sources.map(({ name, source_id }) => (
        <a key={`${name} ${source_id}`} href={addressOf('sources', { scope, type: name, source: source_id })}>
          <Stored text={source_id} />{' '}
        </a>
      ))}
    </>
  );
}

function OpenedExperience({
  scope,
  artifact,
  kept,
}: {
  scope: string;
  artifact: NonNullable<Item['artifact_ref']>;
  kept: string | undefined;
}) {
  const call = useCall('getExperience', { scope_id: scope, artifact }, { isImmutable: true });
  return (
    <Answer call={call}>
      {({ content, source_refs }) => (
        <>
          {kept === undefined ? (
            <Content proposal={content} />
          ) : (
            <CutText text={experienceText(content)} kept={kept} />
          )}
          <p class="facts">
            <code>{refText(artifact)}</code>{' '}
            <CopyButton label={t.copyCitation} text={JSON.stringify({ artifact_ref: artifact })} />{' '}
            <SourceLinks scope={scope} sources={source_refs} />
          </p>
        </>
      )}
    </Answer>
  );
}
