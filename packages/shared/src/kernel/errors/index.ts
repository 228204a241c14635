export { fromDatabaseError, isRetryable, isUniqueViolation } from './database-errors.ts';
export { invalidRequest, refuse, ServiceError, serviceError } from './service-error.ts';
