export { isBrowserAtRoot } from './browser-at-root.ts';
export { documentationPages } from './documentation.ts';
export { servePages } from './serve-pages.ts';
