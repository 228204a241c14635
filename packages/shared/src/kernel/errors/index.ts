export { fromDatabaseError, isRetryable, isUniqueViolation } from './database-errors.ts';
export {
  type ErrorDetails,
  type ErrorEnvelope,
  invalidRequest,
  refuse,
  ServiceError,
} from './service-error.ts';
