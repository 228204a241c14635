export type { QueryEmbedder, Searching } from './port.ts';
export { type QueryVector, type ReadQuery, readQuery, type SearchMode } from './read-query.ts';
export { type ScopeSearch, type SearchAnswer, searchScope } from './search-scope.ts';
