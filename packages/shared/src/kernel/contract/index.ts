export type { Answer, Caller, Handler, Handlers } from './handler.ts';
