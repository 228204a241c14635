import type { JobAccepted } from '@continuity/contract/jobs';
import type { Answer, Caller } from '@continuity/shared/kernel';
import type { JobGateway } from './gateway.ts';
import type { NewJob } from './job.ts';

/** Answers a queued operation with the job's result, or with 202 and the job's id if the caller prefers (spec 00 §7). */
export async function runQueued(jobs: JobGateway, job: NewJob, caller: Caller): Promise<Answer> {
  if (!caller.respondAsync) return { body: (await jobs.submit(job, caller.signal)) as object };
  return acceptedAnswer(await jobs.submitAsync(job));
}

/** The 202 of `Prefer: respond-async`. */
export function acceptedAnswer(accepted: JobAccepted): Answer {
  const headers = { Location: accepted.status_url, 'Preference-Applied': 'respond-async' };
  return { status: 202, body: accepted, headers };
}
