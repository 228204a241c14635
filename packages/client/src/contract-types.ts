// All types that the client takes from the contract. The released package has plain types in place of this module, because those of the
// contract need `zod` (scripts/release/client/plain-types.ts).
import type { operationTable } from '@continuity/contract/operations';
import type { z } from 'zod';

export type {
  CandidateFamily,
  ErrorCode,
  ErrorDetails,
  Family,
  QueueName,
  RetryRule,
} from '@continuity/contract';

type Table = typeof operationTable;

export type OperationId = keyof Table & string;

type Part<Id extends OperationId, Name extends 'params' | 'query' | 'body'> = Table[Id] extends {
  [N in Name]: infer Shape extends z.ZodType;
}
  ? z.input<Shape>
  : unknown;

/** Path parameters, query parameters and body of an operation in one object. */
export type RequestOf<Id extends OperationId> = Part<Id, 'params'> & Part<Id, 'query'> & Part<Id, 'body'>;

/** The body of the success answer. */
export type ResponseOf<Id extends OperationId> = z.output<Table[Id]['response']>;
