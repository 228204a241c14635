import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from './page.ts';

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
