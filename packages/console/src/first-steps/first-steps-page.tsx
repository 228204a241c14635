import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { invalidate, useCall } from '../api/calls.ts';
import { downSince } from '../api/connection.ts';
import { toCurl } from '../api/requests.ts';
import { type AnswerOf, apiUrl, call } from '../api/service.ts';
import { caller, may } from '../api/session.ts';
import { readDraft, writeDraft } from '../app/drafts.ts';
import { t } from '../catalog/index.ts';
import { addressOf } from '../routing/place.ts';
import { id, useParameters } from '../routing/schema.ts';
import { Stored, StoredBlock } from '../text/stored-text.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { TextField } from '../ui/fields.tsx';
import { announce } from '../ui/messages.ts';
import { PageHead } from '../ui/page.tsx';
import { Failure, GoesOn } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { number } from '../ui/time.tsx';
import {
  captureOf,
  defaultScope,
  explainOf,
  flushOf,
  proposalOf,
  sample,
  searchOf,
  traceOf,
} from './steps.ts';

const listed = 100;
const draftName = 'first-steps-scope';

/** The page First steps (spec 60 §7.2): from a note to a proposed Experience. */
export function FirstStepsPage() {
  const { ignored } = useParameters({ scope: id(256) });
  const [scope, setScope] = useState(readDraft(draftName) ?? defaultScope);
  const isBlank = scope.trim() === '';
  return (
    <>
      <PageHead title={t.pages.firstSteps} ignored={ignored} />
      <p>{t.firstStepsIntro}</p>
      <p class="note">{t.nothingIsDeleted}</p>
      <TextField
        label={t.scopeOfSteps}
        value={scope}
        max={256}
        onInput={(text) => {
          setScope(text);
          writeDraft(draftName, text);
        }}
      />
      {!isBlank && <Steps key={`${scope} ${sample().noteId}`} scope={scope} />}
    </>
  );
}

function Steps({ scope }: { scope: string }) {
  const { noteId, proposalKey, note, question, task, proposal } = sample();
  const source = useCall('traceSource', traceOf(scope)).data?.source;
  const isCaptured = source !== undefined;
  const isFlushed = source !== undefined && source.state !== 'pending';
  const candidate = useProposed(scope, titleOf(proposal), isCaptured);
  const [hits, setHits] = useState<AnswerOf<'searchMemory'> | null>(null);
  const [explained, setExplained] = useState<AnswerOf<'explainContext'> | null>(null);
  const refresh = () => invalidate('listCandidateInbox', 'traceSource');
  return (
    <ol class="steps">
      <Step
        title={t.stepCapture}
        why={t.stepCaptureWhy}
        text={note}
        button={t.capture}
        isWrite
        isDone={isCaptured}
        path="/v1/sources/content"
        body={captureOf(scope)}
        run={() => call('captureContentSource', captureOf(scope)).then(refresh)}
      >
        {source !== undefined && (
          <p>
            <a href={addressOf('sources', { scope, type: 'content', source: noteId })}>{t.showSource}</a>{' '}
            <span class="facts">{t.position(number(source.position))}</span>
          </p>
        )}
      </Step>
      <Step
        title={t.stepFlush}
        why={t.stepFlushWhy}
        button={t.flush}
        isWrite
        isDone={isFlushed}
        path="/v1/memory/flush"
        body={flushOf(scope)}
        run={() => call('flushMemory', flushOf(scope)).then(refresh)}
      >
        {isFlushed && <a href={addressOf('memory', { scope })}>{t.showEntries}</a>}
      </Step>
      <Step
        title={t.stepSearch}
        why={t.stepSearchWhy}
        text={question}
        button={t.search}
        isDone={hits !== null && hits.hits.length > 0}
        path="/v1/memory/search"
        body={searchOf(scope)}
        run={() => call('searchMemory', searchOf(scope)).then(setHits)}
      >
        {hits !== null && (
          <ul>
            {hits.hits.map(({ citation, text, score }) => (
              <li key={citation.entry_id}>
                <Stored text={text} /> <span class="facts">{t.score(score.toFixed(2))}</span>
              </li>
            ))}
            {hits.hits.length === 0 && <li>{t.nothingFound}</li>}
          </ul>
        )}
      </Step>
      <Step
        title={t.stepExplain}
        why={t.stepExplainWhy}
        text={task}
        button={t.explain}
        isDone={explained !== null && explained.prepared.status === 'ready'}
        path="/v1/context/explain"
        body={explainOf(scope)}
        run={() => call('explainContext', explainOf(scope)).then(setExplained)}
      >
        {explained !== null && (
          <>
            <p>
              {t.explainedItems(
                number(
                  explained.items.filter(({ outcome }) => outcome === 'included' || outcome === 'truncated')
                    .length,
                ),
                number(explained.items.length),
                number(explained.prepared.content_bytes),
                number(explainOf(scope).max_bytes ?? 0),
              )}
            </p>
            <StoredBlock text={explained.prepared.content ?? ''} />
            <a href={addressOf('why', { scope }, { q: task })}>{t.showWhy}</a>
          </>
        )}
      </Step>
      <Step
        title={t.stepPropose}
        why={t.stepProposeWhy}
        text={titleOf(proposal)}
        button={t.propose}
        isWrite
        isDone={candidate !== undefined}
        path="/v1/experience/propose"
        body={proposalOf(scope)}
        headers={[['idempotency-key', proposalKey]]}
        run={() =>
          call('proposeExperience', proposalOf(scope), { idempotencyKey: proposalKey }).then(refresh)
        }
      >
        {candidate !== undefined && (
          <p>
            <a
              href={addressOf('review', {
                within: 'scope',
                scope,
                status: candidate.status === 'pending' ? null : candidate.status,
                candidate: candidate.candidate_id,
                of: scope,
              })}
            >
              {t.pages.review}: <Stored text={candidate.title} />
            </a>
          </p>
        )}
      </Step>
    </ol>
  );
}

const titleOf = (proposal: ReturnType<typeof sample>['proposal']): string =>
  'lesson' in proposal ? proposal.lesson : '';

/** The Candidate that the last step proposed, whatever became of it. */
function useProposed(scope: string, lesson: string, isCaptured: boolean) {
  const of = (status: 'pending' | 'approved' | 'rejected') =>
    isCaptured ? { selection: { mode: 'exact' as const, scope_ids: [scope] }, status, limit: listed } : null;
  const lists = [
    useCall('listCandidateInbox', of('pending')),
    useCall('listCandidateInbox', of('approved')),
    useCall('listCandidateInbox', of('rejected')),
  ];
  return lists.flatMap(({ data }) => data?.items ?? []).find(({ title }) => title === lesson);
}

interface StepProps {
  title: string;
  why: string;
  /** What the step writes or asks. */
  text?: string;
  button: string;
  /** Needs the role writer. */
  isWrite?: boolean;
  isDone: boolean;
  path: string;
  body: object;
  headers?: [string, string][];
  run: () => Promise<unknown>;
  children: ComponentChildren;
}

/** A step with its button, its call as curl, and its result. */
function Step({
  title,
  why,
  text,
  button,
  isWrite = false,
  isDone,
  path,
  body,
  headers = [],
  run,
  children,
}: StepProps) {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const isDown = useStore(downSince) !== null;
  const curl = toCurl(
    {
      method: 'POST',
      url: apiUrl + path,
      headers: [['content-type', 'application/json'], ...headers],
      body: JSON.stringify(body),
    },
    caller.value?.authentication ?? false,
  );
  const send = async () => {
    setRunning(true);
    setFailure(null);
    try {
      await run();
      announce(t.stepDone(button));
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <li aria-label={title}>
      <h2>
        {title} {isDone && <span class="done">✓ {t.done}</span>}
      </h2>
      <p>{why}</p>
      {text !== undefined && (
        <blockquote>
          <Stored text={text} />
        </blockquote>
      )}
      <div class="buttons">
        {(!isWrite || may('writer')) && (
          <button
            type="button"
            class={isDone ? '' : 'primary'}
            disabled={isRunning || (isWrite && isDown)}
            onClick={send}
          >
            {button}
          </button>
        )}
        <CopyButton label={t.copyCurl} text={curl} />
      </div>
      <details>
        <summary>curl</summary>
        <StoredBlock text={curl} />
      </details>
      {isRunning && <GoesOn />}
      {failure !== null && <Failure error={failure} />}
      {children}
    </li>
  );
}
