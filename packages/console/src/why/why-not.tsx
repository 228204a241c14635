import { useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import type { RequestTo } from '../api/service.ts';
import { isUuid, readCitation } from '../app/pasted-id.ts';
import { t } from '../catalog/index.ts';
import { addressOf } from '../routing/place.ts';
import { Stored } from '../text/stored-text.tsx';
import { useDebounced } from '../ui/debounce.ts';

export type Subject = NonNullable<RequestTo<'explainContext'>['subjects']>[number];

const shownHits = 5;
const artifact = /^experience\/([\x21-\x7e]{1,128}?)(@\d+)?$/;

/** The field "Why not?": asks about an entry or Experience, by id or by search (spec 60 §7.4.3). */
export function WhyNot({
  scope,
  named: given,
  subjects,
  isAsked,
  onAsk,
}: {
  scope: string;
  /** What the address names, as the field takes it. */
  named: string;
  subjects: Subject[];
  isAsked: boolean;
  onAsk: (subject: Subject) => void;
}) {
  const [text, setText] = useState(given);
  const wanted = useDebounced(text.trim());
  const [within, setWithin] = useState(scope);
  const named = subjectsOf(within, text.trim());
  const isSearched = wanted !== '' && within !== '' && named.length === 0;
  const found = useCall(
    'searchMemory',
    isSearched ? { scope_id: within, query: wanted, limit: shownHits } : null,
    { isBackground: true },
  );
  // No operation searches Experiences alone: what an explanation of these words has is near to them.
  const explained = useCall('explainContext', isSearched ? { scope_id: within, query: wanted } : null, {
    isBackground: true,
  });
  const experiences = (explained.data?.items ?? []).flatMap(({ scope_id, artifact_ref, excerpt }) =>
    artifact_ref === null || scope_id !== within
      ? []
      : [
          {
            subject: { kind: 'experience', scope_id, artifact_id: artifact_ref.artifact_id } as const,
            label: `${t.families.experience}: ${excerpt}`,
          },
        ],
  );
  const rows = [
    ...named.map((subject) => ({ subject, label: t.subjectKinds[subject.kind] })),
    ...(found.data?.hits ?? []).map(({ citation, text: label }) => ({
      subject: {
        kind: 'memory',
        scope_id: within,
        artifact_id: citation.memory_ref.artifact_id,
        entry_id: citation.entry_id,
      } as const,
      label,
    })),
    ...experiences,
  ];
  return (
    <div class="why-not">
      <div class="field wide">
        <label for="why-not">{t.whyNot}</label>
        <input
          id="why-not"
          aria-describedby="why-not-hint"
          dir="auto"
          maxLength={2000}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p id="why-not-hint" class="hint">
          {t.whyNotHint}
        </p>
      </div>
      <div class="field wide">
        <label for="why-not-scope">{t.inScope}</label>
        <input
          id="why-not-scope"
          dir="auto"
          maxLength={256}
          value={within}
          onInput={(event) => setWithin(event.currentTarget.value)}
        />
      </div>
      {rows.length > 0 && <p class="hint">{isAsked ? t.nearTexts : t.explainFirst}</p>}
      <ul class="rows plain">
        {rows.map(({ subject, label }) => (
          <li key={JSON.stringify(subject)}>
            <button
              type="button"
              class="quiet"
              disabled={!isAsked}
              aria-pressed={JSON.stringify(subjects[0]) === JSON.stringify(subject)}
              onClick={() => onAsk(subject)}
            >
              <Stored text={label.slice(0, 200)} />
            </button>
          </li>
        ))}
        {isSearched && found.data !== undefined && explained.data !== undefined && (
          <li>
            {rows.length === 0 ? t.notKnown : t.noneOfThese}{' '}
            <a href={addressOf('sources', { scope: within })}>{t.pages.sources}</a>
          </li>
        )}
      </ul>
    </div>
  );
}

/** What a pasted id or citation names: an entry, or an Experience. */
function subjectsOf(scope_id: string, text: string): Subject[] {
  const ofArtifact = artifact.exec(text)?.[1];
  if (ofArtifact !== undefined) return [{ kind: 'experience', scope_id, artifact_id: ofArtifact }];
  const cited = readCitation(text);
  if (cited !== null)
    return [{ kind: 'memory', scope_id, artifact_id: cited.artifact_id, entry_id: cited.entry_id }];
  if (!isUuid(text)) return [];
  return [
    { kind: 'memory', scope_id, artifact_id: 'memory', entry_id: text },
    { kind: 'experience', scope_id, artifact_id: text },
  ];
}
