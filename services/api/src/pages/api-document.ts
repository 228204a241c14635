import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '../openapi/index.ts';

const generated = new URL('../../../../docs/openapi.json', import.meta.url);

/**
 * Reads the OpenAPI document from the generated file, because building it from the contract takes 250 ms. Without authentication,
 * removes the security requirements.
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
