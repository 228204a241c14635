import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '../openapi/index.ts';

const generated = new URL('../../../../docs/openapi.json', import.meta.url);

/**
 * The OpenAPI document as JSON, read from the generated file: to build it from the contract takes a quarter of a second. Without
 * authentication, it does not mention security.
 */
export function readApiDocument(hasAuthentication: boolean): Buffer {
  const document = JSON.parse(readFileSync(generated, 'utf8')) as OpenApiDocument;
  return Buffer.from(JSON.stringify(hasAuthentication ? document : withoutSecurity(document)));
}

function withoutSecurity({ security: _, ...document }: OpenApiDocument): OpenApiDocument {
  const { securitySchemes: _schemes, ...components } = document.components;
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path)) delete operation.security;
  return { ...document, components };
}
