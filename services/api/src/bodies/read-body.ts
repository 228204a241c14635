import { maxBodyValuesOf, type OperationSpec } from '@continuity/contract';
import type { BodyPreparations } from '@continuity/shared/handlers';
import { validate } from '../http/validate.ts';
import { parseBody } from './parse-body.ts';
import { bodyPreparations } from './preparations.ts';

const preparations: BodyPreparations = bodyPreparations;

/** Parses, validates and prepares the body of an operation. Throws 422. `params` are the validated path parameters. */
export function readBody(operation: OperationSpec, params: unknown, bytes: Uint8Array): unknown {
  const shape = operation.bodyFor?.(params as never) ?? operation.body;
  if (shape === undefined) return undefined;
  const body = validate(shape, parseBody(bytes, maxBodyValuesOf(operation)));
  return preparations[operation.id]?.(body as never) ?? body;
}
