export { indexedExpression, indexedType, maxExact, maxIndexedHalf } from './by-extension.ts';
export type { NearestAnswer, VectorHit } from './channel.ts';
export { readNearest } from './nearest.ts';
export { indexName, type VectorSupport, VectorSupportCache } from './support.ts';
