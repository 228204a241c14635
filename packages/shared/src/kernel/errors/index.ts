export { commonErrors, type ErrorCode, errorCatalogue } from './catalogue.ts';
export { fromDatabaseError, isRetryable, isUniqueViolation } from './database-errors.ts';
export { type ErrorMeaning, errorMeanings } from './meanings.ts';
export {
  type ErrorDetails,
  type ErrorEnvelope,
  type Issue,
  invalidRequest,
  maxIssues,
  refuse,
  ServiceError,
} from './service-error.ts';
