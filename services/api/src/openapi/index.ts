export { describeApi } from './document.ts';
export type { OpenApiDocument } from './types.ts';
