export {
  fromDatabaseError,
  isRetryable,
  isTransactionAborted,
  isUniqueViolation,
} from './database-errors.ts';
export { invalidRequest, refuse, ServiceError, serviceError } from './service-error.ts';
