export type { Answer, Caller, Handler, Handlers } from './handler.ts';
export { isLongBody, type LongBody, leastBlockBytes, ReadyBody, WrittenBody } from './long-body.ts';
export {
  defineOperation,
  type Example,
  errorsOf,
  type OperationInput,
  type OperationResponse,
  type OperationSpec,
  type OtherSuccess,
} from './operation.ts';
export * from './shapes.ts';
