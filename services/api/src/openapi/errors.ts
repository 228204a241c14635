import {
  type ErrorCode,
  errorBodyShape,
  errorCodes,
  errorRecords,
  errorsOf,
  exampleError,
  headersTooLarge,
  type OperationSpec,
  toPascalCase,
} from '@continuity/contract';
import { errorHeaders } from './parameters.ts';
import type { ApiResponse, Example, Reference, Schema, SchemaCollection } from './schemas.ts';

/** Error responses as components: one for each set of codes with a common status. Operations refer to them. */
export class ErrorResponses {
  readonly components: Record<string, ApiResponse> = {};
  readonly #schemas: SchemaCollection;

  constructor(schemas: SchemaCollection) {
    this.#schemas = schemas;
  }

  /** References to the error responses of an operation, by status. */
  responsesOf(operation: OperationSpec): Record<string, Reference> {
    const codes = errorsOf(operation);
    const byStatus = Map.groupBy(
      errorCodes.filter((code) => codes.includes(code)),
      (code) => errorRecords[code].status,
    );
    return {
      ...Object.fromEntries(
        [...byStatus].map(([status, own]) => [String(status), this.#reference(status, own)]),
      ),
      [headersTooLarge.status]: this.#headersTooLarge(),
    };
  }

  #headersTooLarge(): Reference {
    const { status, code, when, advice } = headersTooLarge;
    this.components['HeadersTooLarge'] ??= {
      description: `\`${code}\`: ${when} ${advice}`,
      headers: errorHeaders(status),
      content: {
        'application/json': {
          schema: this.#envelope([code]),
          examples: {
            [code]: {
              summary: when,
              value: { error: { code, message: `${when} ${advice}`, details: { issues: [] } } },
            },
          },
        },
      },
    };
    return { $ref: '#/components/responses/HeadersTooLarge' };
  }

  #reference(status: number, codes: ErrorCode[]): Reference {
    const name = codes.map(toPascalCase).join('Or');
    this.components[name] ??= this.#response(status, codes);
    return { $ref: `#/components/responses/${name}` };
  }

  #response(status: number, codes: ErrorCode[]): ApiResponse {
    return {
      description: codes.map((code) => `\`${code}\`: ${describe(code)}`).join('\n\n'),
      headers: errorHeaders(status),
      content: {
        'application/json': {
          schema: this.#envelope(codes),
          examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
        },
      },
    };
  }

  /** The envelope of spec 00 §3. Each code has its own schema. */
  #envelope(codes: ErrorCode[]): Schema {
    const bodies = codes.map((code) => this.#schemas.schemaOf(errorBodyShape(code), 'output'));
    const [only] = bodies;
    const error = bodies.length === 1 && only !== undefined ? only : { oneOf: bodies };
    return { type: 'object', properties: { error }, required: ['error'], additionalProperties: false };
  }
}

function describe(code: ErrorCode): string {
  const { when, advice } = errorRecords[code];
  return `${when} ${advice}`;
}

function exampleOf(code: ErrorCode): Example {
  return { summary: errorRecords[code].when, value: { error: exampleError(code) } };
}
