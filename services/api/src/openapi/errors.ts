import {
  type ErrorCode,
  errorCatalogue,
  errorMeanings,
  errorsOf,
  type OperationSpec,
} from '@continuity/contract';
import { errorHeaders } from './headers.ts';
import type { ApiResponse, Example, Reference, Schema } from './types.ts';

const catalogueOrder = Object.keys(errorCatalogue) as ErrorCode[];

/** The error answers of all operations: one for each set of codes that share a status, referred to by the operations. */
export class ErrorResponses {
  readonly components: Record<string, ApiResponse> = {};

  /** A reference for each status that the operation can fail with. */
  responsesOf(operation: OperationSpec): Record<string, Reference> {
    const codes = errorsOf(operation);
    const byStatus = Map.groupBy(
      catalogueOrder.filter((code) => codes.includes(code)),
      (code) => errorCatalogue[code],
    );
    return Object.fromEntries(
      [...byStatus].map(([status, own]) => [String(status), this.#reference(status, own)]),
    );
  }

  #reference(status: number, codes: ErrorCode[]): Reference {
    const name = codes.map(toPascalCase).join('Or');
    this.components[name] ??= errorResponse(status, codes);
    return { $ref: `#/components/responses/${name}` };
  }
}

function errorResponse(status: number, codes: ErrorCode[]): ApiResponse {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorMeanings[code].when}`).join('\n\n'),
    headers: errorHeaders(status),
    content: {
      'application/json': {
        schema: envelopeOf(codes),
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
      },
    },
  };
}

/** The envelope of spec 00 §3, with the codes that can be in it. */
function envelopeOf(codes: ErrorCode[]): Schema {
  const error = {
    type: 'object',
    properties: {
      code: { type: 'string', enum: codes },
      message: { type: 'string', minLength: 1, description: 'For people; not part of the contract.' },
      details: { type: 'object', description: 'What a program can act on; may be empty.' },
    },
    required: ['code', 'message', 'details'],
    additionalProperties: false,
  };
  return { type: 'object', properties: { error }, required: ['error'], additionalProperties: false };
}

function exampleOf(code: ErrorCode): Example {
  const { when, message, details = {} } = errorMeanings[code];
  return { summary: when, value: { error: { code, message, details } } };
}

/** `scope_not_found` → `ScopeNotFound` */
function toPascalCase(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
