import { useRef, useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import type { RequestTo } from '../api/service.ts';
import { useScope } from '../app/scope.tsx';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { id, useParameters, useTyped, whole } from '../routing/schema.ts';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { PageHead } from '../ui/page.tsx';
import { Answer, Empty, Loading } from '../ui/states.tsx';
import { number } from '../ui/time.tsx';
import { Candidates, type Explanation } from './candidates.tsx';
import { PasteCheck } from './paste-check.tsx';
import { type Subject, WhyNot } from './why-not.tsx';

const minBudget = 512;
const maxBudget = 32_768;
const defaultBudget = 8_000;

/** The page Why (spec 60 §7.4): what a context has, and why. */
export function WhyPage() {
  const { values, ignored, set } = useParameters({
    scope: id(256),
    max_bytes: whole(maxBudget, defaultBudget),
  });
  const scope = useScope();
  const [query, setQuery] = useTyped('q');
  const [asked, setAsked] = useState<string | null>(query.trim() === '' ? null : query.trim());
  const [subjects, setSubjects] = useState<Subject[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  useKey('search', () => field.current?.focus());
  const explain = () => setAsked(query.trim() === '' ? null : query.trim());
  useKey('confirm', explain);
  const budget = Math.max(minBudget, values.max_bytes);
  return (
    <>
      <PageHead title={t.pages.why} ignored={ignored} />
      <p class="hint">{t.whyIntro}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          explain();
        }}
      >
        <div class="field wide">
          <label for="query">{t.taskOrQuestion}</label>
          <textarea
            ref={field}
            id="query"
            rows={2}
            dir="auto"
            maxLength={8192}
            value={query}
            aria-keyshortcuts={shortcutsOf('search')}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </div>
        <div class="filters">
          <span class="field">
            <label for="budget">{t.budget}</label>
            <input
              id="budget"
              type="number"
              min={minBudget}
              max={maxBudget}
              value={values.max_bytes}
              onChange={(event) =>
                set({ max_bytes: Number(event.currentTarget.value) || defaultBudget }, { replace: true })
              }
            />
          </span>
          <button type="submit" class="primary" disabled={query.trim() === '' || scope === undefined}>
            {t.explain}
          </button>
        </div>
      </form>
      {scope === undefined && <Loading rows={3} />}
      {scope !== undefined && asked !== null && (
        <Result
          key={scope}
          scope={scope}
          request={{ scope_id: scope, query: asked, max_bytes: budget, subjects }}
        />
      )}
      {scope !== undefined && (
        <WhyNot
          scope={scope}
          subjects={subjects}
          isAsked={asked !== null}
          onAsk={(subject) => setSubjects([subject])}
        />
      )}
      {scope !== undefined && <PasteCheck scope={scope} />}
    </>
  );
}

function Result({ scope, request }: { scope: string; request: RequestTo<'explainContext'> }) {
  const call = useCall('explainContext', request);
  return (
    <Answer call={call} rows={8}>
      {(explanation) => (
        <>
          <Summary explanation={explanation} budget={request.max_bytes ?? defaultBudget} />
          <Subjects explanation={explanation} />
          <Candidates scope={scope} explanation={explanation} />
          <details>
            <summary>{t.whatAgentGot}</summary>
            {explanation.prepared.content === null ? (
              <p>{t.nothing}</p>
            ) : (
              <>
                <CopyButton label={t.copy} text={explanation.prepared.content} />
                <HiddenNote texts={[explanation.prepared.content]} />
                <StoredBlock text={explanation.prepared.content} />
              </>
            )}
          </details>
        </>
      )}
    </Answer>
  );
}

/** What was taken of the budget, how each Scope was searched, and the terms. */
function Summary({ explanation, budget }: { explanation: Explanation; budget: number }) {
  const { prepared, items, scopes, skipped, terms, segments } = explanation;
  const taken = items.filter(({ outcome }) => outcome === 'included' || outcome === 'truncated').length;
  return (
    <>
      <p>
        <strong>
          {t.explainedItems(
            number(taken),
            number(items.length),
            number(prepared.content_bytes),
            number(budget),
          )}
        </strong>
      </p>
      <meter min={0} max={budget} value={prepared.content_bytes} aria-label={t.budget} />
      {prepared.status === 'empty' && (
        <Empty>
          <p>
            {prepared.reason === undefined
              ? t.nothing
              : (t.emptyReasons[prepared.reason as keyof typeof t.emptyReasons] ?? prepared.reason)}
          </p>
        </Empty>
      )}
      <ul class="facts">
        {scopes.map((one) => (
          <li key={one.scope_id}>
            {t.scopeRoles[one.role]} <Stored text={one.scope_id} />:{' '}
            {one.mode === null ? t.noMemory : t.modes[one.mode]}
            {one.fallback !== null && ` · ${t.fallbacks[one.fallback]}`}
            {one.reranked && ` · ${t.reranked}`} · {t.hitCounts(one.memory_hits, one.experience_hits)}
          </li>
        ))}
        {skipped.slice(0, 20).map(({ scope_id, reason }) => (
          <li key={scope_id}>
            <Stored text={scope_id} />: {t.skipReasons[reason]}
          </li>
        ))}
        {skipped.length > 20 && <li>{t.andMore(skipped.length - 20)}</li>}
      </ul>
      <p class="facts">
        {t.termsOf(segments)}{' '}
        {terms.slice(0, 120).map(({ text, segment, is_rare }) => (
          <span key={`${segment} ${text}`}>
            <Stored text={text} />
            {is_rare && ` (${t.rare})`}{' '}
          </span>
        ))}
        {terms.length > 120 && t.andMore(terms.length - 120)}
      </p>
    </>
  );
}

/** The answers to "Why not?". */
function Subjects({ explanation: { subjects, items } }: { explanation: Explanation }) {
  if (subjects.length === 0) return null;
  return (
    <div role="status">
      {subjects.map(({ subject, outcome, item, score, last_score, channels }) => (
        <p key={JSON.stringify(subject)} class="note">
          <strong>{t.subjectOutcomes[outcome]}</strong>{' '}
          {outcome === 'listed' &&
            item !== null &&
            t.listedAs(item + 1, t.outcomes[items[item]?.outcome ?? 'included'])}
          {score !== null && ` ${t.score(score.toFixed(2))}.`}
          {last_score !== null && ` ${t.lastScore(last_score.toFixed(2))}`}
          {channels !== null && ` ${t.matchedTerms(channels.lexical.matched.length)}`}
          {channels?.vector != null && ` ${t.similarity(channels.vector.similarity.toFixed(2))}`}{' '}
          {t.subjectSteps[outcome]}
        </p>
      ))}
    </div>
  );
}
