export { type NearestAnswer, type NearestQuery, vectorTable } from './channel.ts';
export { readNearest, scoreByVector } from './in-process.ts';
export { type VectorSupport, VectorSupportCache } from './support.ts';
