export { fromDatabaseError, isRetryable, isUniqueViolation } from './database-errors.ts';
export {
  invalidRequest,
  requireNoIssues,
  ServiceError,
  serviceError,
  staleVersion,
} from './service-error.ts';
