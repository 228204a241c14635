export type { Answer, Caller, Handler, Handlers } from './handler.ts';
export { isLongBody, type LongBody, leastBlockBytes, ReadyBody, WrittenBody } from './long-body.ts';
