import { isUtf8 } from 'node:buffer';
import { maxBodyValuesOf, type OperationSpec } from '@continuity/contract';
import { invalidRequest, requireNoIssues } from '@continuity/kernel/errors';
import { checkJsonSize, findJsonIssues } from '@continuity/kernel/json';
import { connectorBodies } from '@continuity/shared/connectors/bodies';
import type { BodyPreparations } from '@continuity/shared/handlers';
import { sourceBodies } from '@continuity/shared/sources/bodies';
import { validate } from '../http/validate.ts';

/** Conversions of validated bodies to the input of handlers, by operation. Other handlers get the validated body. */
export const bodyPreparations = { ...sourceBodies, ...connectorBodies };

/**
 * The JSON value of a body; undefined for an empty one. Throws 422 for a body that is no JSON, has more than `maxValues` values, is
 * nested too deep, or holds values that cannot be stored (spec 00 §2).
 */
export function parseBody(body: Uint8Array, maxValues: number): unknown {
  if (body.length === 0) return undefined;
  if (!isUtf8(body)) throw invalidRequest([{ path: '', message: 'The body is not UTF-8. Encode it so.' }]);
  const tooLarge = checkJsonSize(body, maxValues);
  if (tooLarge !== undefined) throw invalidRequest([{ path: '', message: tooLarge }]);
  const value = parseJson(decoder.decode(body));
  requireNoIssues(findJsonIssues(value));
  return value;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Accepts a byte-order mark. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw invalidRequest([{ path: '', message: 'The body is not JSON.' }]);
  }
}

const preparations: BodyPreparations = bodyPreparations;

/** Parses, validates and prepares the body of an operation. Throws 422. `params` are the validated path parameters. */
export function readBody(operation: OperationSpec, params: unknown, bytes: Uint8Array): unknown {
  return prepareBody(operation, params, () => parseBody(bytes, maxBodyValuesOf(operation)));
}

/** Validates and prepares the parsed body of an operation; undefined for one that takes none. Throws 422. */
export function prepareBody(operation: OperationSpec, params: unknown, parse: () => unknown): unknown {
  const shape = operation.bodyFor?.(params as never) ?? operation.body;
  if (shape === undefined) return undefined;
  const body = validate(shape, parse());
  return preparations[operation.id]?.(body as never) ?? body;
}
