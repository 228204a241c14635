import { artifactOperations } from '../artifacts/operations.ts';
import { connectorOperations } from '../connectors/operations.ts';
import { contextOperations } from '../context/operations.ts';
import { experienceOperations } from '../experience/operations.ts';
import { externalSkillOperations } from '../external-skills/operations.ts';
import { generationOperations } from '../generation/operations.ts';
import { handoffGenerationOperations } from '../handoff/generation.ts';
import { handoffOperations } from '../handoff/operations.ts';
import { jobOperations } from '../jobs/operations.ts';
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
import type { OperationSpec } from './operation.ts';

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
