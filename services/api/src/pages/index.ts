export { isBrowserAtRoot } from './browser-at-root.ts';
export { documentationPages } from './documentation.ts';
export type { Page } from './page.ts';
export { servePages } from './serve-pages.ts';
