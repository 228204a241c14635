export {
  fromDatabaseError,
  isRetryable,
  isTenantMoved,
  isUniqueViolation,
  tenantIsMoving,
} from './database-errors.ts';
export {
  invalidRequest,
  requireNoIssues,
  ServiceError,
  serviceError,
  staleVersion,
} from './service-error.ts';
