export { type Client, createClient } from './client.ts';
export { ConnectionError, InvalidRequestError, ServiceError, UnexpectedAnswerError } from './errors.ts';
export { etagOf } from './etags.ts';
export type {
  CallOptions,
  ClientOptions,
  JobReceipt,
  OperationId,
  RequestOf,
  ResponseOf,
} from './types.ts';
