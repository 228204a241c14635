import {
  candidateFamilies,
  type ErrorCode,
  errorCodes,
  errorRecords,
  familyNames,
  type OperationSpec,
  queueNames,
} from '../../../packages/contract/src/index.ts';
import { operations } from '../../../packages/contract/src/operations/index.ts';
import { describeApi } from '../../../services/api/src/openapi/index.ts';
import {
  type ApiOperation,
  type Content,
  type Schema,
  SchemaCollection,
} from '../../../services/api/src/openapi/schemas.ts';
import { typeOfSchema } from './typescript-of-schema.ts';

/**
 * The declarations of `packages/client/src/contract-types.ts` without `zod`: types that a project reads fast, and that need no package
 * beside the client. They come from the API document, as the types of the Python client do.
 */
export function plainContractTypes(): string {
  const { paths, components } = describeApi(operations);
  const described = operations.map((operation) => {
    const api = paths[operation.path]?.[operation.method.toLowerCase()];
    if (api === undefined) throw new Error(`The API document lacks ${operation.id}.`);
    return [operation, api] as const;
  });
  const schemas = Object.entries(components.schemas);
  return `${schemas.map(([name, schema]) => `export type ${name} = ${typeOfSchema(schema)};`).join('\n')}

interface Requests {
${described.map(([{ id }, api]) => `  ${id}: ${requestOf(api)};`).join('\n')}
}

interface Responses {
${described.map(([operation, api]) => `  ${operation.id}: ${responseOf(operation, api)};`).join('\n')}
}

interface Details {
${errorCodes.map((code) => `  ${code}: ${detailsOf(code)};`).join('\n')}
}

export type OperationId = keyof Requests;

/** Path parameters, query parameters and body of an operation in one object. */
export type RequestOf<Id extends OperationId> = Requests[Id];

/** The body of the success answer. */
export type ResponseOf<Id extends OperationId> = Responses[Id];

export type ErrorCode = keyof Details;
export type ErrorDetails<Code extends ErrorCode = ErrorCode> = Details[Code];
export type RetryRule = 'always' | 'if_repeatable' | 'unless_stored';
export type QueueName = ${unionOf(queueNames)};
${['Family', 'CandidateFamily']
  .filter((name) => !(name in components.schemas))
  .map(familyType)
  .join('\n')}`;
}

function familyType(name: string): string {
  return `export type ${name} = ${unionOf(name === 'Family' ? familyNames : candidateFamilies)};`;
}

const unionOf = (names: readonly string[]) => names.map((name) => `'${name}'`).join(' | ');

function detailsOf(code: ErrorCode): string {
  return typeOfSchema(new SchemaCollection().schemaOf(errorRecords[code].details, 'input'));
}

function requestOf({ parameters = [], requestBody }: ApiOperation): string {
  const named = parameters.filter((one) => one.in === 'path' || one.in === 'query');
  const own: Schema = {
    type: 'object',
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ required }) => required).map(({ name }) => name),
  };
  const body = schemaIn(requestBody?.content);
  if (named.length === 0) return body === undefined ? '{}' : typeOfSchema(body);
  return body === undefined ? typeOfSchema(own) : `${typeOfSchema(own)} & ${typeOfSchema(body)}`;
}

function responseOf({ status }: OperationSpec, { responses }: ApiOperation): string {
  const success = responses[String(status)];
  const schema = success !== undefined && 'content' in success ? schemaIn(success.content) : undefined;
  return schema === undefined ? 'unknown' : typeOfSchema(schema);
}

function schemaIn(content: Content | undefined): Schema | undefined {
  return content?.['application/json']?.schema;
}
