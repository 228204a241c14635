import { ServiceError } from '@continuity/client';
import { QueryClient, QueryObserver, type QueryObserverOptions } from '@tanstack/query-core';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useBusy } from '../ui/busy.ts';
import { type AnswerOf, type CallName, call, type RequestTo } from './service.ts';

const freshMs = 10_000;
const keptMs = 60_000;
const maxPollMs = 60_000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshMs,
      gcTime: keptMs,
      networkMode: 'always',
      // One automatic read after `Retry-After` (spec 60 §6.3). Anything else waits for the person or for the recovery.
      retry: (failures, error) => failures === 0 && retryAfterOf(error) !== null,
      retryDelay: (_failures, error) => (retryAfterOf(error) ?? 0) * 1000,
      refetchOnWindowFocus: true,
    },
  },
});

const retryAfterOf = (error: unknown): number | null =>
  error instanceof ServiceError ? error.retryAfterSeconds : null;

/** What a component knows of a call. Data of an earlier answer stays while a later one fails. */
export interface Call<T> {
  data: T | undefined;
  error: Error | null;
  /** No answer and no error yet. */
  isLoading: boolean;
  isFetching: boolean;
  /** When the data was read. */
  readAt: Date | null;
  refetch(): void;
  /** Ends the call that runs. Without an earlier answer there is none until `refetch`. */
  cancel(): void;
}

export interface CallSettings {
  /** The answer never changes: it is read once. */
  isImmutable?: boolean;
  /** Reads it again at this interval, in milliseconds, in a visible tab. */
  pollMs?: number;
  /** `main` is not busy for its sake. */
  isBackground?: boolean;
}

function optionsOf<Name extends CallName>(
  name: Name,
  request: RequestTo<Name> | null,
  { isImmutable = false, pollMs }: CallSettings,
): QueryObserverOptions<AnswerOf<Name>, Error> {
  return {
    queryKey: [name, request],
    queryFn: ({ signal }) => call(name, request as RequestTo<Name>, { signal }),
    enabled: request !== null,
    ...(isImmutable && { staleTime: Number.POSITIVE_INFINITY }),
    ...(pollMs !== undefined && {
      refetchInterval: ({ state }) =>
        Math.min(maxPollMs, pollMs * 2 ** Math.min(10, state.fetchFailureCount)),
    }),
  };
}

/** Calls an operation while the component is drawn, and shares its answer. Null: the request is not known yet. */
export function useCall<Name extends CallName>(
  name: Name,
  request: RequestTo<Name> | null,
  settings: CallSettings = {},
): Call<AnswerOf<Name>> {
  const options = queryClient.defaultQueryOptions(optionsOf(name, request, settings));
  const [observer] = useState(() => new QueryObserver<AnswerOf<Name>, Error>(queryClient, options));
  const [, redraw] = useState(0);
  const result = observer.getOptimisticResult(options);
  useLayoutEffect(() => observer.subscribe(() => redraw((count) => count + 1)), [observer]);
  const key = JSON.stringify([name, request]);
  useLayoutEffect(() => observer.setOptions(options), [observer, key, settings.pollMs]);
  const isLoading =
    request !== null && result.data === undefined && result.error === null && result.isFetching;
  useBusy(isLoading && settings.isBackground !== true);
  return {
    data: result.data,
    error: result.error,
    isLoading,
    isFetching: result.isFetching,
    readAt: result.dataUpdatedAt === 0 ? null : new Date(result.dataUpdatedAt),
    refetch: () => void observer.refetch(),
    cancel: () => void queryClient.cancelQueries({ queryKey: [name, request], exact: true }),
  };
}

/** Reads what a component will ask for next. A failure shows when it asks. */
export function prefetch<Name extends CallName>(
  name: Name,
  request: RequestTo<Name>,
  settings: CallSettings = {},
): void {
  void queryClient.prefetchQuery(optionsOf(name, request, settings) as never);
}

/** Reads through the cache: an answer of the last 10 s, or a new one. */
export function readCall<Name extends CallName>(
  name: Name,
  request: RequestTo<Name>,
  settings: CallSettings = {},
): Promise<AnswerOf<Name>> {
  return queryClient.fetchQuery(optionsOf(name, request, settings) as never);
}

/** Marks the answers of operations as old, so that what is drawn reads them again. */
export function invalidate(...names: CallName[]): void {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => names.includes(queryKey[0] as CallName),
  });
}

/** Reads again what failed, after the service has recovered. */
export function readFailedAgain(): void {
  void queryClient.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.status === 'error' || state.error !== null,
  });
}

/** Reads again what is drawn. */
export function refresh(): void {
  void queryClient.refetchQueries({ type: 'active' });
}
