export { describeApi } from './document.ts';
export type { OpenApiDocument } from './schemas.ts';
