import type { OperationSpec } from '@continuity/contract';
import type { RawReply } from '@continuity/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../../src/openapi/index.ts';
import type { ApiOperation, ApiResponse, Header, Reference, Schema } from '../../../src/openapi/schemas.ts';

/** An OpenAPI document that answers and examples can be held against. */
export class DocumentUnderTest {
  readonly document: OpenApiDocument;
  readonly #ajv: Ajv2020;
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.document = document;
    this.#ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary(['components', 'example']);
    this.#ajv.addSchema({ $id: 'document', components: { schemas: document.components.schemas } });
  }

  operation({ path, method }: OperationSpec): ApiOperation {
    const operation = this.document.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`The document has no ${method} ${path}.`);
    return operation;
  }

  /** The answer that the operation declares for a status. */
  response(operation: OperationSpec, status: number): ApiResponse {
    const response = this.operation(operation).responses[String(status)];
    if (response === undefined) throw new Error(`${operation.id} documents no ${status}.`);
    return this.#resolve(response);
  }

  /** Differences between an answer and its documentation; empty if there are none. */
  problemsOf(operation: OperationSpec, reply: RawReply): string[] {
    const { headers, content } = this.response(operation, reply.status);
    const inHeaders = Object.entries(headers).flatMap(([name, declared]) => {
      const header: Header = this.#resolve(declared);
      const value = reply.headers.get(name);
      if (value === null) return header.required ? [`has no header ${name}`] : [];
      return this.problems(header.schema, value).map((problem) => `header ${name} ${problem}`);
    });
    if (content === undefined) return reply.text === '' ? inHeaders : [...inHeaders, 'has a body'];
    const type = reply.headers.get('content-type')?.split(';')[0] ?? 'none';
    const media = content[type];
    if (media === undefined) return [...inHeaders, `has the content type ${type}`];
    const value = type === 'application/json' ? reply.json : reply.text;
    return [...inHeaders, ...this.problems(media.schema, value)];
  }

  /** Violations of a schema of the document by a value. */
  problems(schema: Schema, value: unknown): string[] {
    const check = this.checkOf(schema);
    if (check(value)) return [];
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** A check of one schema; what it refers to is looked up in the document. */
  checkOf(schema: Schema): ValidateFunction {
    const absolute = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const check = this.#checks.get(absolute) ?? this.#ajv.compile(JSON.parse(absolute) as Schema);
    this.#checks.set(absolute, check);
    return check;
  }

  #resolve<T extends object>(value: T | Reference): T {
    if (!('$ref' in value)) return value;
    const steps = String(value.$ref).split('/').slice(1);
    const target = steps.reduce<unknown>(
      (inside, step) => (inside as Record<string, unknown> | undefined)?.[step],
      this.document,
    );
    if (target === undefined) throw new Error(`The document has no ${String(value.$ref)}.`);
    return target as T;
  }
}
