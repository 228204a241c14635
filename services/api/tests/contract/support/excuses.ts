import type { ErrorCode } from '@continuity/contract';
import type { OperationId } from '@continuity/testing';

/** A declared error that no request can bring about, and why it is declared all the same. */
export interface Excuse {
  code: ErrorCode;
  operations: OperationId[];
  reason: string;
}

export const excuses: Excuse[] = [
  {
    code: 'internal_error',
    operations: ['get_liveness', 'get_readiness'],
    reason: 'Nothing that they use can be broken from outside; only a defect would give it.',
  },
  {
    code: 'internal_error',
    operations: ['get_caller'],
    reason:
      'It reads the table of tenants alone. Without it, the database counts as another one, which is 503.',
  },
  {
    code: 'scope_not_found',
    operations: ['get_default_scope'],
    reason: 'Each tenant starts with a default Scope, and none can be taken away.',
  },
  {
    code: 'inference_unavailable',
    operations: ['search_memory'],
    reason: 'Search asks a model only where an embedding model is configured.',
  },
  {
    code: 'inference_timeout',
    operations: ['search_memory'],
    reason: 'Search asks a model only where an embedding model is configured.',
  },
];
