export { documentationPages } from './documentation.ts';
export { isBrowserAtRoot, servePages } from './serve-pages.ts';
