import { useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import type { RequestTo } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { Stored } from '../text/stored-text.tsx';
import { useDebounced } from '../ui/debounce.ts';

export type Subject = NonNullable<RequestTo<'explainContext'>['subjects']>[number];

const shownHits = 5;
const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const artifact = /^experience\/([\x21-\x7e]{1,128}?)(@\d+)?$/;

/** The field "Why not?": asks about an entry or Experience, by id or by search (spec 60 §7.4.3). */
export function WhyNot({
  scope,
  subjects,
  isAsked,
  onAsk,
}: {
  scope: string;
  subjects: Subject[];
  isAsked: boolean;
  onAsk: (subject: Subject) => void;
}) {
  const [text, setText] = useState('');
  const wanted = useDebounced(text.trim());
  const [within, setWithin] = useState(scope);
  const named = subjectsOf(within, text.trim());
  const found = useCall(
    'searchMemory',
    wanted === '' || within === '' || named.length > 0
      ? null
      : { scope_id: within, query: wanted, limit: shownHits },
    { isBackground: true },
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
  ];
  return (
    <div class="why-not">
      <div class="field wide">
        <label for="why-not">{t.whyNot}</label>
        <input
          id="why-not"
          dir="auto"
          maxLength={2000}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
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
      {!isAsked && rows.length > 0 && <p class="hint">{t.explainFirst}</p>}
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
        {rows.length === 0 && found.data !== undefined && <li>{t.nothingFound}</li>}
      </ul>
    </div>
  );
}

/** What a pasted id names: an entry of the Scope Memory, or an Experience. */
function subjectsOf(scope_id: string, text: string): Subject[] {
  const ofArtifact = artifact.exec(text)?.[1];
  if (ofArtifact !== undefined) return [{ kind: 'experience', scope_id, artifact_id: ofArtifact }];
  if (!uuid.test(text)) return [];
  return [
    { kind: 'memory', scope_id, artifact_id: 'memory', entry_id: text },
    { kind: 'experience', scope_id, artifact_id: text },
  ];
}
