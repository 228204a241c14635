import { artifactOperations } from '../artifacts/operations.ts';
import { connectorOperations } from '../connectors/operations.ts';
import { contextOperations } from '../context/index.ts';
import { experienceOperations } from '../experience/operations.ts';
import { externalSkillOperations } from '../external-skills/operations.ts';
import { generationOperations } from '../generation/operations.ts';
import { handoffGenerationOperations } from '../handoff/generation.ts';
import { handoffOperations } from '../handoff/operations.ts';
import { jobAccepted, jobOperations } from '../jobs/operations.ts';
import { memoryOperations } from '../memory/operations.ts';
import { remoteSkillOperations } from '../remote-skills/operations.ts';
import { catalogOperations } from '../reports/catalog-operations.ts';
import { reportOperations } from '../reports/report-operations.ts';
import { reviewOperations } from '../review/operations.ts';
import { proposalOperations } from '../review/proposals.ts';
import { scopeBindingOperations } from '../scopes/bindings.ts';
import { scopeOperations } from '../scopes/operations.ts';
import { skillOperations } from '../skills/operations.ts';
import { sourceOperations } from '../sources/operations.ts';
import { statsOperations } from '../stats/operations.ts';
import { systemOperations } from '../system/operations.ts';
import { workOperations } from '../work/operations.ts';
import type { OperationSpec, OtherSuccess } from './operation.ts';

/** Every operation of the service. Routes, documents, SDK and the tests over all operations derive from it. */
export const operationTable = {
  ...systemOperations,
  ...scopeOperations,
  ...scopeBindingOperations,
  ...artifactOperations,
  ...sourceOperations,
  ...connectorOperations,
  ...memoryOperations,
  ...contextOperations,
  ...workOperations,
  ...handoffOperations,
  ...handoffGenerationOperations,
  ...proposalOperations,
  ...reviewOperations,
  ...experienceOperations,
  ...skillOperations,
  ...remoteSkillOperations,
  ...catalogOperations,
  ...reportOperations,
  ...generationOperations,
  ...externalSkillOperations,
  ...statsOperations,
  ...jobOperations,
} satisfies Record<string, OperationSpec>;

export const operations: readonly OperationSpec[] = Object.values(operationTable);

/** The answer to `Prefer: respond-async` of any operation that runs as a job (spec 00 §7). */
const accepted: OtherSuccess = {
  status: 202,
  description: 'With `Prefer: respond-async`: the job is stored and continues in the background.',
  response: jobAccepted,
  headers: { Location: 'Path of the job.', 'Preference-Applied': '`respond-async`' },
  example: {
    summary: 'Queued',
    response: {
      job_id: '019a9f40-6c00-7000-8000-000000000001',
      status: 'queued',
      status_url: '/v1/jobs/019a9f40-6c00-7000-8000-000000000001',
    },
  },
};

/** All success answers of an operation, the main one first. */
export function successesOf(operation: OperationSpec): OtherSuccess[] {
  const {
    status,
    summary,
    response,
    responseHeaders = {},
    otherSuccesses = [],
    run,
    waitsAlways,
  } = operation;
  const main = { status, description: summary, response, headers: responseHeaders };
  return [main, ...otherSuccesses, ...(run === 'direct' || waitsAlways ? [] : [accepted])];
}
