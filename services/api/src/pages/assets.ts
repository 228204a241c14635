import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { OpenApiDocument } from '../openapi/index.ts';
import type { Page } from './serve-pages.ts';

const { resolve } = createRequire(import.meta.url);

const contentTypes = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
} as const;

/** A file of an installed package or of `browser/`, with its path on this server. `read` runs at the first request. */
export function asset(path: string, read: () => Buffer): Page {
  return {
    method: 'GET',
    path,
    contentType: contentTypes[path.endsWith('.css') ? 'css' : 'js'],
    body: { cached: read },
  };
}

/** Reads a file of a dependency: `swagger-ui-dist/swagger-ui.css`. */
export function readPackageFile(specifier: string): Buffer {
  return readFileSync(resolve(specifier));
}

/** Reads a browser script of this service. */
export function readBrowserFile(name: string): Buffer {
  return readFileSync(new URL(`browser/${name}`, import.meta.url));
}

/** Replacements in the bundle that the content security policy of its page requires. */
const adaptations = [
  {
    why: 'The logo of its makers is the one thing that it would load from elsewhere; without an image it is left out.',
    from: 'https://cdn.redoc.ly/redoc/logo-mini.svg',
    to: 'data:,',
  },
  {
    why: 'Its styles carry the nonce from the start; its own option sets it after the first styles are made.',
    from: 'r.nc=void 0',
    to: 'r.nc=document.currentScript.nonce',
  },
];

/** Redoc's bundle, adapted. Throws if a new version needs other replacements. */
export function redocBundle(): Buffer {
  let bundle = readPackageFile('redoc/bundles/redoc.standalone.js').toString('utf8');
  for (const { why, from, to } of adaptations) {
    const parts = bundle.split(from);
    if (parts.length !== 2) throw new Error(`Redoc's bundle has ${from} ${parts.length - 1} times. ${why}`);
    bundle = parts.join(to);
  }
  return Buffer.from(bundle);
}

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
