import { ConnectionError, ServiceError, UnexpectedAnswerError } from '@continuity/client';
import { invalidate } from '../api/calls.ts';
import { call } from '../api/service.ts';
import type { Address, BareCandidate } from './types.ts';

export type Decision = { kind: 'approve' } | { kind: 'reject'; reason: string };

/** What became of a decision: answered, lost but found out by reading, lost and not found out in time, or refused. */
export type Outcome =
  | { kind: 'decided'; candidate: BareCandidate; wasLost: boolean }
  | { kind: 'undecided' }
  | { kind: 'unknown' }
  | { kind: 'refused'; error: Error };

const firstRetryMs = 1_000;
const maxRetryMs = 4_000;
/** After this time the page says that it does not know. */
const maxReadingMs = 60_000;

/** Sends a decision about exactly the version that was on screen. After a lost answer it reads what became of it (spec 60 §7.3.10). */
export async function decide(address: Address, version: number, decision: Decision): Promise<Outcome> {
  const request = { ...address, expected_version: version };
  try {
    const candidate =
      decision.kind === 'approve'
        ? await call('approveArtifactCandidate', request)
        : await call('rejectArtifactCandidate', { ...request, reason: decision.reason });
    invalidate('getArtifactCandidate');
    return { kind: 'decided', candidate, wasLost: false };
  } catch (error) {
    if (!isLost(error)) return { kind: 'refused', error: error as Error };
  }
  const candidate = await readUntilAnswered(address);
  invalidate('getArtifactCandidate');
  if (candidate === null) return { kind: 'unknown' };
  if (candidate instanceof Error) return { kind: 'refused', error: candidate };
  return candidate.status === 'pending'
    ? { kind: 'undecided' }
    : { kind: 'decided', candidate, wasLost: true };
}

function isLost(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === 503;
  return (
    error instanceof ConnectionError ||
    error instanceof UnexpectedAnswerError ||
    (error as Error).name === 'TimeoutError'
  );
}

/** Reads the Candidate until the service answers, also after the person went on to another one. Null: not in time. */
async function readUntilAnswered(address: Address): Promise<BareCandidate | Error | null> {
  const end = Date.now() + maxReadingMs;
  for (let waitMs = firstRetryMs; ; waitMs = Math.min(maxRetryMs, waitMs * 2)) {
    try {
      return await call('getArtifactCandidate', address);
    } catch (error) {
      if (!isLost(error)) return error as Error;
      if (Date.now() >= end) return null;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
