export {
  type ErrorBody,
  type ErrorEnvelope,
  errorBodyShape,
  errorEnvelopeShape,
  exampleError,
  headersTooLarge,
  parseErrorBody,
  toPascalCase,
} from './envelope.ts';
export type { ErrorRecord, RetryRule } from './record.ts';
export { type Issue, maxIssues } from './record.ts';
export { commonErrors, type ErrorCode, type ErrorDetails, errorCodes, errorRecords } from './records.ts';
