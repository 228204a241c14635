import { asset, readApiDocument, readBrowserFile, readPackageFile, redocBundle } from './assets.ts';
import { htmlPage } from './html-page.ts';
import type { Page } from './serve-pages.ts';

/** `/openapi.json`, `/docs` and `/redoc` with their assets (spec 10 §3). */
export function documentationPages(hasAuthentication: boolean): Page[] {
  return [openApiPage(hasAuthentication), ...interactivePages(), ...referencePages()];
}

function openApiPage(hasAuthentication: boolean): Page {
  return {
    method: 'GET',
    path: '/openapi.json',
    contentType: 'application/json; charset=utf-8',
    body: { cached: () => readApiDocument(hasAuthentication) },
  };
}

function interactivePages(): Page[] {
  return [
    htmlPage('/docs', {
      title: 'Context Continuity Service: try it',
      styles: ['docs/swagger-ui.css'],
      scripts: ['docs/swagger-ui.js', 'docs/start.js'],
    }),
    asset('/docs/swagger-ui.css', () => readPackageFile('swagger-ui-dist/swagger-ui.css')),
    asset('/docs/swagger-ui.js', () => readPackageFile('swagger-ui-dist/swagger-ui-bundle.js')),
    asset('/docs/start.js', () => readBrowserFile('swagger.js')),
  ];
}

function referencePages(): Page[] {
  return [
    htmlPage('/redoc', {
      title: 'Context Continuity Service: reference',
      styles: [],
      scripts: ['redoc/redoc.js', 'redoc/start.js'],
      // Redoc builds its search index in a worker from a blob.
      policy: { 'worker-src': 'blob:' },
    }),
    asset('/redoc/redoc.js', redocBundle),
    asset('/redoc/start.js', () => readBrowserFile('redoc.js')),
  ];
}
