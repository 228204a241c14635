import type { OperationSpec } from '@continuity/contract';
import manifest from '../../package.json' with { type: 'json' };
import { ErrorResponses } from './errors.ts';
import { describeOperation } from './operation.ts';
import { sharedHeaders } from './parameters.ts';
import { type OpenApiDocument, SchemaCollection } from './schemas.ts';

const introduction = `Stores and prepares working context for AI agents, so that work continues across sessions, models and hosts.

- A request body is closed: an unknown field is 422. Unknown query parameters are ignored.
- Every error has one envelope, \`{ "error": { "code", "message", "details" } }\`. Programs read \`code\` and \`details\`.
- Lengths of text are in Unicode code points. Times are RFC 3339 UTC with milliseconds.
- Path parameters are percent-encoded once, so that \`%2F\` is a slash inside an id.
- If authentication is on, send a token in the header \`Authorization: Bearer <token>\`, and nowhere else.`;

const bearer = { type: 'http', scheme: 'bearer', description: 'A token of one tenant.' };

/** Builds the OpenAPI 3.1 document of the given operations. Throws for a shape or an id that it cannot describe. */
export function describeApi(operations: readonly OperationSpec[]): OpenApiDocument {
  const schemas = new SchemaCollection();
  const shared = { schemas, errors: new ErrorResponses(schemas) };
  const paths: OpenApiDocument['paths'] = {};
  for (const operation of operations) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: describeOperation(operation, shared) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Context Continuity Service',
      version: manifest.version,
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: sorted(shared.schemas.components),
      responses: sorted(shared.errors.components),
      headers: sharedHeaders,
      securitySchemes: { bearer },
    },
  };
}

/** Sorted by name, so that the order of the operations does not matter. */
function sorted<T>(byName: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(byName).sort(([left], [right]) => (left < right ? -1 : 1)));
}
