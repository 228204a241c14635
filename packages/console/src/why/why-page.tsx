import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import type { RequestTo } from '../api/service.ts';
import { useScope } from '../app/scope.tsx';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { id, useParameters, useTyped, whole } from '../routing/schema.ts';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { EnumValue } from '../ui/enum-value.tsx';
import { PageHead } from '../ui/page.tsx';
import { Answer, Empty, Loading } from '../ui/states.tsx';
import { number } from '../ui/time.tsx';
import { Candidates, type Explanation } from './candidates.tsx';
import { PasteCheck } from './paste-check.tsx';
import { type Subject, WhyNot } from './why-not.tsx';

const minBudget = 512;
const maxBudget = 32_768;
const defaultBudget = 8_000;
const shownTerms = 120;

/** The page Why (spec 60 §7.4): what a context has, and why. */
export function WhyPage() {
  const { values, ignored, set } = useParameters({
    scope: id(256),
    max_bytes: whole(maxBudget, defaultBudget),
  });
  const scope = useScope();
  const [query, setQuery] = useTyped('q');
  const [asked, setAsked] = useState<string | null>(query.trim() === '' ? null : query.trim());
  const [named] = useTyped('not');
  const [subjects, setSubjects] = useState<Subject[]>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  useKey('search', () => field.current?.focus());
  const explain = () => setAsked(query.trim() === '' ? null : query.trim());
  // A link or Back may bring another query to this page.
  const typed = useRef(query);
  useLayoutEffect(() => {
    if (query === typed.current) return;
    typed.current = query;
    explain();
  }, [query]);
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
            onInput={(event) => {
              typed.current = event.currentTarget.value;
              setQuery(typed.current);
            }}
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
      {scope !== undefined && (
        <WhyNot
          key={`${scope} ${named}`}
          scope={scope}
          named={named}
          subjects={subjects}
          isAsked={asked !== null}
          onAsk={(subject) => setSubjects([subject])}
        />
      )}
      {scope === undefined && <Loading rows={3} />}
      {scope !== undefined && asked !== null && (
        <Result
          key={scope}
          scope={scope}
          request={{ scope_id: scope, query: asked, max_bytes: budget, subjects }}
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
          <Subjects explanation={explanation} />
          <Summary explanation={explanation} budget={request.max_bytes ?? defaultBudget} />
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
            <EnumValue value={one.role} phrases={t.scopeRoles} /> <Stored text={one.scope_id} />:{' '}
            {one.mode === null ? t.noMemory : <EnumValue value={one.mode} phrases={t.modes} />}
            {one.fallback !== null && (
              <>
                {' '}
                · <EnumValue value={one.fallback} phrases={t.fallbacks} />
              </>
            )}
            {one.reranked && ` · ${t.reranked}`} · {t.hitCounts(one.memory_hits, one.experience_hits)}
          </li>
        ))}
        {skipped.slice(0, 20).map(({ scope_id, reason }) => (
          <li key={scope_id}>
            <Stored text={scope_id} />: <EnumValue value={reason} phrases={t.skipReasons} />
          </li>
        ))}
        {skipped.length > 20 && <li>{t.andMore(skipped.length - 20)}</li>}
      </ul>
      <Terms terms={terms} segments={segments} />
    </>
  );
}

/** The terms of the query by segment, the rare ones marked. */
function Terms({ terms, segments }: Pick<Explanation, 'terms' | 'segments'>) {
  const shown = terms.slice(0, shownTerms);
  const numbers = [...new Set(shown.map(({ segment }) => segment))];
  return (
    <>
      {numbers.map((segment) => (
        <p key={segment} class="facts">
          {segments > 1 ? t.termsOfSegment(segment) : t.terms}{' '}
          {shown
            .filter((term) => term.segment === segment)
            .map(({ text, is_rare }) => (
              <span key={text}>
                <Stored text={text} />
                {is_rare && ` (${t.rare})`}{' '}
              </span>
            ))}
        </p>
      ))}
      {terms.length > shownTerms && <p class="facts">{t.andMore(terms.length - shownTerms)}</p>}
    </>
  );
}

/** The answers to "Why not?". */
function Subjects({ explanation }: { explanation: Explanation }) {
  if (explanation.subjects.length === 0) return null;
  return (
    <div role="status">
      {explanation.subjects.map((result) => (
        <p key={JSON.stringify(result.subject)} class="note">
          <strong title={result.outcome}>{t.subjectOutcomes[result.outcome]}</strong>{' '}
          {reasonsOf(explanation, result).join(' ')}
        </p>
      ))}
    </div>
  );
}

/** The numbers of an answer, and the step that would change it. */
function reasonsOf(
  { items }: Explanation,
  { outcome, item, score, last_score, channels }: Explanation['subjects'][number],
): string[] {
  const similarity = channels?.vector?.similarity;
  return [
    item === null ? '' : t.listedAs(item + 1, t.outcomes[items[item]?.outcome ?? 'included']),
    score === null ? '' : `${t.scoreHead} ${score.toFixed(2)}.`,
    last_score === null ? '' : t.lastScore(last_score.toFixed(2)),
    channels === null ? '' : t.matchedTerms(channels.lexical.matched.length),
    similarity === undefined ? '' : t.similarity(similarity.toFixed(2)),
    t.subjectSteps[outcome],
  ].filter((text) => text !== '');
}
