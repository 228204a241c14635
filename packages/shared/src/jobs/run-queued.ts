import type { JobAccepted } from '@continuity/contract/jobs';
import type { Answer, Caller } from '@continuity/shared/handlers';
import type { JobGateway } from './gateway.ts';
import type { NewJob } from './job.ts';
import type { KeyedJob } from './new-job.ts';
import { acceptedJob } from './read.ts';
import type { EarlierWork } from './work-key.ts';

/** Answers a queued operation with the job's result, or with 202 and the job's id if the caller prefers (spec 00 §7). */
export async function runQueued(jobs: JobGateway, job: NewJob, caller: Caller): Promise<Answer> {
  if (!caller.respondAsync) return { body: (await jobs.submit(job, caller.signal)) as object };
  return acceptedAnswer(await jobs.submitAsync(job));
}

/**
 * Answers an operation whose job is matched by the key of its work (spec 40 §2.1.2). Earlier work is the answer even if the
 * caller prefers an id, unless it is the result of a job, which has one.
 */
export async function runByKey(
  jobs: JobGateway,
  job: KeyedJob,
  earlier: EarlierWork,
  caller: Caller,
): Promise<Answer> {
  if (!caller.respondAsync) return { body: (await jobs.submitByKey(job, earlier, caller.signal)) as object };
  const answered = await jobs.submitByKeyAsync(job, earlier);
  if ('status_url' in answered) return acceptedAnswer(answered);
  const { jobId, result } = answered;
  return jobId === null ? { body: result as object } : acceptedAnswer(acceptedJob(jobId, 'succeeded'));
}

/** The 202 of `Prefer: respond-async`. */
export function acceptedAnswer(accepted: JobAccepted): Answer {
  const headers = { Location: accepted.status_url, 'Preference-Applied': 'respond-async' };
  return { status: 202, body: accepted, headers };
}
