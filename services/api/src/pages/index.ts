export { consoleRoutes, isConsolePath, readConsole, serveConsole } from './console.ts';
export { documentationPages } from './documentation.ts';
export { refusalPage } from './refusal-page.ts';
export { isBrowserAtRoot, servePages } from './serve-pages.ts';
