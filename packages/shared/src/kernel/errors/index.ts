export {
  fromDatabaseError,
  isRetryable,
  isTransactionAborted,
  isUniqueViolation,
} from './database-errors.ts';
export { invalidRequest, requireNoIssues, ServiceError, serviceError } from './service-error.ts';
export { staleVersion } from './stale-version.ts';
