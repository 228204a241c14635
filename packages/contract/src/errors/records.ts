import type { z } from 'zod';
import { artifactErrors } from './artifacts.ts';
import { candidateErrors } from './candidates.ts';
import { externalSkillErrors } from './external-skills.ts';
import { handoffErrors } from './handoff.ts';
import { inferenceErrors } from './inference.ts';
import { jobErrors } from './jobs.ts';
import { memoryErrors } from './memory.ts';
import type { ErrorRecord } from './record.ts';
import { remoteSkillErrors } from './remote-skills.ts';
import { reportErrors } from './reports.ts';
import { requestErrors } from './requests.ts';
import { scopeErrors } from './scopes.ts';
import { serviceErrors } from './service.ts';
import { sourceErrors } from './sources.ts';

/** Every error code of the contract (spec 00 §3). A new error is one record in the file of its area. */
export const errorRecords = {
  ...requestErrors,
  ...scopeErrors,
  ...sourceErrors,
  ...artifactErrors,
  ...candidateErrors,
  ...externalSkillErrors,
  ...memoryErrors,
  ...handoffErrors,
  ...reportErrors,
  ...remoteSkillErrors,
  ...inferenceErrors,
  ...jobErrors,
  ...serviceErrors,
} satisfies Record<string, ErrorRecord>;

type Records = typeof errorRecords;

export type ErrorCode = keyof Records;

/** `details` of an error code. */
export type ErrorDetails<Code extends ErrorCode = ErrorCode> = z.input<Records[Code]['details']>;

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorRecords, value);
}

/** All codes, by status and name. */
export const errorCodes: readonly ErrorCode[] = Object.keys(errorRecords)
  .filter(isErrorCode)
  .sort((left, right) => errorRecords[left].status - errorRecords[right].status || (left < right ? -1 : 1));

/** Errors that every bearer operation can answer with (spec 10 §1.1). */
export const commonErrors = [
  'unauthorized',
  'method_not_allowed',
  'body_too_large',
  'unsupported_media_type',
  'misdirected_request',
  'invalid_request',
  'rate_limited',
  'internal_error',
  'runtime_not_ready',
  'database_unavailable',
] as const satisfies readonly ErrorCode[];
