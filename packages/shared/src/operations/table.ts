import type { OperationSpec } from '@continuity/shared/kernel';
import { artifactOperations } from '../artifacts/contract.ts';
import { connectorOperations } from '../connectors/contract.ts';
import { contextOperations } from '../context/contract.ts';
import { handoffOperations } from '../handoff/contract.ts';
import { handoffGenerationOperations } from '../handoff/generation/contract.ts';
import { jobOperations } from '../jobs/contract.ts';
import { memoryOperations } from '../memory/contract.ts';
import { scopeBindingOperations } from '../scopes/binding-contract.ts';
import { scopeOperations } from '../scopes/contract.ts';
import { sourceOperations } from '../sources/contract.ts';
import { statsOperations } from '../stats/contract.ts';
import { systemOperations } from '../system/contract.ts';
import { workOperations } from '../work/contract.ts';

/** Every operation that the service offers. Routes, documents, SDK and the tests over all operations come from here. */
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
  ...statsOperations,
  ...jobOperations,
} satisfies Record<string, OperationSpec>;

export const operations: readonly OperationSpec[] = Object.values(operationTable);
