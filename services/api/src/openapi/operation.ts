import { bodyLimitOf, type OperationSpec, queueOf } from '@continuity/contract';
import { successesOf } from '@continuity/contract/operations';
import type { ErrorResponses } from './errors.ts';
import { errorHeaders, parametersOf, successHeaders } from './parameters.ts';
import {
  type ApiOperation,
  type ApiResponse,
  bodyExamples,
  type Content,
  type SchemaCollection,
} from './schemas.ts';

/** Shared components of the operations of a document. */
interface Shared {
  schemas: SchemaCollection;
  errors: ErrorResponses;
}

/** One operation of the contract as an OpenAPI operation object. */
export function describeOperation(operation: OperationSpec, { schemas, errors }: Shared): ApiOperation {
  const description = describe(operation);
  const parameters = parametersOf(operation, schemas);
  const requestBody = requestBodyOf(operation, schemas);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description !== '' && { description }),
    ...(operation.auth === 'public' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody, 'x-max-body-bytes': bodyLimitOf(operation) }),
    responses: {
      ...successResponses(operation, schemas),
      ...errors.responsesOf(operation),
      ...unavailableResponse(operation, schemas),
    },
  };
}

function describe(operation: OperationSpec): string {
  const { description = '' } = operation;
  const queue = queueOf(operation);
  if (queue === undefined) return description;
  return `${description}\n\nRuns in a worker of the queue \`${queue}\`.`.trim();
}

function requestBodyOf(
  operation: OperationSpec,
  schemas: SchemaCollection,
): ApiOperation['requestBody'] | undefined {
  if (operation.body === undefined) return undefined;
  const schema = schemas.schemaOf(operation.body, 'input');
  const examples = bodyExamples(operation.examples, ({ body }) => body);
  return {
    required: !operation.body.safeParse(undefined).success,
    content: { 'application/json': { schema, ...examples } },
  };
}

function successResponses(operation: OperationSpec, schemas: SchemaCollection): Record<string, ApiResponse> {
  const responses = successesOf(operation).map(({ status, description, response, headers, example }) => {
    const own = status === operation.status ? operation.examples : example ? [example] : [];
    const examples = bodyExamples(own, (one) => one.response);
    const isMain = status === operation.status;
    const mediaType = (isMain && operation.mediaType) || 'application/json';
    const content: Content | undefined = response
      ? {
          [mediaType.replace(/;.*/, '')]: { schema: schemas.schemaOf(response, 'output'), ...examples },
          ...(isMain && otherMedia(operation)),
        }
      : undefined;
    const answer = { description, headers: successHeaders(headers), ...(content && { content }) };
    return [String(status), answer] as const;
  });
  return Object.fromEntries(responses);
}

/** The other media types of the success answer, all of them texts. */
function otherMedia({ otherMedia = {} }: OperationSpec): Content {
  const entries = Object.entries(otherMedia).map(([type, description]) => [
    type.replace(/;.*/, ''),
    { schema: { type: 'string', description } },
  ]);
  return Object.fromEntries(entries);
}

/** For readiness only, whose 503 has its own body instead of the error envelope. */
function unavailableResponse(
  operation: OperationSpec,
  schemas: SchemaCollection,
): Record<string, ApiResponse> {
  if (operation.unavailableResponse === undefined) return {};
  const schema = schemas.schemaOf(operation.unavailableResponse, 'output');
  return {
    '503': {
      description: 'The process cannot serve requests.',
      headers: { ...successHeaders(operation.responseHeaders), ...errorHeaders(503) },
      content: { 'application/json': { schema } },
    },
  };
}
