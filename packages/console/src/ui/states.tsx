import {
  ConnectionError,
  InvalidRequestError,
  ServiceError,
  UnexpectedAnswerError,
} from '@continuity/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Call } from '../api/calls.ts';
import { ContentError } from '../api/content-error.ts';
import { caller } from '../api/session.ts';
import { t } from '../catalog/index.ts';
import { useBusy } from './busy.ts';
import { CopyButton } from './copy.tsx';

const quietMs = 200;
const longMs = 5_000;

/** Grey rows after 200 ms, "Still loading" with a way out after 5 s (spec 60 §6.3). */
export function Loading({ rows = 3, onCancel }: { rows?: number; onCancel?: () => void }) {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const timers = [quietMs, longMs].map((ms) => setTimeout(() => setElapsed(ms), ms));
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <div class="loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class={elapsed >= quietMs ? 'bone' : 'bone clear'} />
      ))}
      {elapsed >= longMs && (
        <p>
          {t.stillLoading}{' '}
          {onCancel !== undefined && (
            <button type="button" onClick={onCancel}>
              {t.cancel}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** Says after 5 s that a job goes on. The client follows it, also beyond the wait limit of the gateway. */
export function GoesOn() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), longMs);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? (
    <span class="hint" role="status">
      {t.goesOn}
    </span>
  ) : null;
}

/** What would be here, why it may be empty, and the next step. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

/** A failed call: what happened, what to do, the request id, and for a read a retry. The rest of the page stays. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const requestId = error instanceof ServiceError || error instanceof ContentError ? error.requestId : null;
  const advice = adviceOf(error, onRetry !== undefined);
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{messageOf(error)}</strong>
      </p>
      {advice !== undefined && <p>{advice}</p>}
      {error instanceof ServiceError && <Advice code={error.code} />}
      <p class="facts">
        {error instanceof ServiceError && <code>{error.code}</code>}
        {requestId !== null && (
          <>
            {' '}
            <code>{requestId}</code> <CopyButton label={t.copyRequestId} text={requestId} />
          </>
        )}
        {onRetry !== undefined && (
          <button type="button" onClick={onRetry}>
            {t.retry}
          </button>
        )}
      </p>
    </div>
  );
}

/** Issues of a 422 by field. `prefix` is left out of the names. */
export function issuesOf(failure: Error | null, prefix = ''): ReadonlyMap<string, string> {
  if (!(failure instanceof ServiceError) || !failure.is('invalid_request')) return new Map();
  return new Map(
    failure.details.issues.map(({ path, message }) => [
      path.startsWith(prefix) ? path.slice(prefix.length) : path,
      message,
    ]),
  );
}

/** What the error record of the contract advises, in the language of the service. Its texts are loaded with the first failure. */
function Advice({ code }: { code: string }) {
  const [all, setAll] = useState<Readonly<Record<string, string>> | null>(null);
  useBusy(all === null);
  useEffect(() => {
    import('../generated/error-advice.ts').then(
      ({ errorAdvice }) => setAll(errorAdvice),
      () => setAll({}),
    );
  }, []);
  const advice = all?.[code];
  return advice === undefined ? null : (
    <p>
      <bdi lang="en">{advice}</bdi>
    </p>
  );
}

/** A sentence for an error of a call. */
function messageOf(error: Error): string {
  if (error instanceof ServiceError) {
    if (error.status === 404) return t.notFound;
    if (error.status === 403) return t.forbidden(t.roles[caller.value?.role ?? 'reader']);
    return error.message;
  }
  if (error instanceof InvalidRequestError) return t.unsendable;
  if (error instanceof ConnectionError || error instanceof UnexpectedAnswerError) return t.noAnswer;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return t.noAnswer;
  return error.message;
}

function adviceOf(error: Error, isRead: boolean): string | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  if (error.is('worker_unavailable')) return t.noWorker(queueOf(error.details));
  if (error.retryAfterSeconds !== null)
    return isRead ? t.readsAgain(error.retryAfterSeconds) : t.sendAgain(error.retryAfterSeconds);
  const { details } = error as { details: unknown };
  const issues = (details as { issues?: { path: string; message: string }[] } | undefined)?.issues;
  return issues?.map(({ path, message }) => `${path}: ${message}`).join('; ');
}

function queueOf(details: unknown): string {
  return String((details as { queue?: unknown } | undefined)?.queue ?? '');
}

/** Draws a call: rows while it loads, its failure, or its answer. With an older answer, a failed refresh stands above it. */
export function Answer<T>({
  call,
  rows,
  children,
}: {
  call: Call<T>;
  rows?: number;
  children: (data: T) => ComponentChildren;
}) {
  const [isCancelled, setCancelled] = useState(false);
  const cancel = () => {
    setCancelled(true);
    call.cancel();
  };
  if (isCancelled && call.data === undefined)
    return (
      <p>
        {t.cancelled}{' '}
        <button
          type="button"
          onClick={() => {
            setCancelled(false);
            call.refetch();
          }}
        >
          {t.retry}
        </button>
      </p>
    );
  if (call.data === undefined && call.error === null)
    return <Loading {...(rows !== undefined && { rows })} onCancel={cancel} />;
  return (
    <>
      {call.error !== null && <Failure error={call.error} onRetry={call.refetch} />}
      {call.error !== null && call.readAt !== null && (
        <p class="note">{t.asOf(call.readAt.toLocaleTimeString())}</p>
      )}
      {call.data !== undefined && children(call.data)}
    </>
  );
}
