import {
  type ErrorCode,
  errorCodes,
  errorRecords,
  errorsOf,
  exampleError,
  headersTooLarge,
  type OperationSpec,
  type RetryRule,
} from '../../packages/contract/src/index.ts';
import { operations } from '../../packages/contract/src/operations/index.ts';
import { SchemaCollection } from '../../services/api/src/openapi/schemas.ts';
import { code, generatedNote, table } from './markdown.ts';

/** Generates `docs/errors.md` from the error records and the operations that declare each code. */
export function errorsPage(): string {
  const codes = errorCodes.filter((one) => operationsWith(one) !== '');
  const rows = [...codes.map(rowOf), headersTooLargeRow()].toSorted(byStatus);
  return `# Errors

${generatedNote}

For developers of clients: what each error code means, and what to do.

Every error has the same envelope. \`code\` and \`details\` are part of the contract. \`message\` is for people.

\`\`\`json
${JSON.stringify({ error: exampleError('invalid_request') }, null, 2)}
\`\`\`

${table(['Status', 'Code', 'When', 'What to do', 'Retry'], rows)}

- _Retry_ says when to send the same request again, after the seconds in \`Retry-After\`. "yes": nothing was done. "if safe": a read, or a
  write with \`Idempotency-Key\`. "without a job": only if \`details\` has no \`job_id\`; else wait for that job.
- Every 429 and 503 has \`Retry-After\`. Every 405 has \`Allow\`. Every 401 has \`WWW-Authenticate: Bearer\`.
- Every answer has \`X-Service-Request-ID\`. Find the request by this id in logs and traces.
- A request that is not valid HTTP gets \`invalid_request\` without issues, with status 400, 408 or 413.

## Details and operations

A field with \`?\` may be absent. \`/openapi.json\` has the full schemas.

${table(
  ['Code', '`details`', 'Operations'],
  codes.map((one) => [code(one), describeDetails(one), operationsWith(one)]),
)}
`;
}

function byStatus([left]: string[], [right]: string[]): number {
  return Number(left) - Number(right);
}

function headersTooLargeRow(): string[] {
  const { status, code: errorCode, when, advice } = headersTooLarge;
  return [String(status), code(errorCode), when, advice, 'no'];
}

const retryWords: Record<RetryRule, string> = {
  always: 'yes',
  if_repeatable: 'if safe',
  unless_stored: 'without a job',
};

function rowOf(errorCode: ErrorCode): string[] {
  const { status, when, advice, retry } = errorRecords[errorCode];
  return [String(status), code(errorCode), when, advice, retry === undefined ? 'no' : retryWords[retry]];
}

/** Keywords that the JSON Schemas of `details` use. */
interface DetailsSchema {
  anyOf?: DetailsSchema[];
  oneOf?: DetailsSchema[];
  properties?: Record<string, { const?: unknown }>;
  required?: string[];
}

/** Lists the fields of `details`, one list for each alternative. */
function describeDetails(errorCode: ErrorCode): string {
  const schema = new SchemaCollection().schemaOf(errorRecords[errorCode].details, 'output') as DetailsSchema;
  const alternatives = schema.anyOf ?? schema.oneOf ?? [schema];
  return alternatives.map(describeFields).join(' or ') || 'empty';
}

function describeFields({ properties = {}, required = [] }: DetailsSchema): string {
  const fields = Object.entries(properties).map(([name, { const: only }]) => {
    if (only !== undefined) return `${name}: ${JSON.stringify(only)}`;
    return required.includes(name) ? name : `${name}?`;
  });
  return fields.length === 0 ? '' : code(fields.join(', '));
}

/** Codes of paths that are not operations. */
const outsideOperations: Partial<Record<ErrorCode, string>> = {
  not_found: 'any other path',
  forbidden: '`GET /metrics`',
};

/** Groups of operations with a short name, from the largest to the smallest. */
const groups: [string, (operation: OperationSpec) => boolean][] = [
  ['every operation', () => true],
  ['every operation except the health checks', ({ auth }) => auth !== 'public'],
  ['every operation with a token', ({ auth }) => auth !== 'public' && auth !== 'code'],
  ['every operation with input', (operation) => errorsOf(operation).includes('invalid_request')],
  ['every `POST` and `PUT` operation', ({ method }) => method !== 'GET'],
  ['every operation behind a queue', ({ run }) => run !== 'direct'],
];

/** Names the operations that declare the code, as a group if one matches exactly. Empty if no operation declares it. */
function operationsWith(errorCode: ErrorCode): string {
  const declaring = operations.filter((operation) => errorsOf(operation).includes(errorCode));
  const elsewhere = outsideOperations[errorCode];
  if (elsewhere !== undefined) return elsewhere;
  const ids = idsOf(declaring);
  const group = groups.find(([, isMember]) => idsOf(operations.filter(isMember)) === ids);
  return group?.[0] ?? ids;
}

function idsOf(listed: readonly OperationSpec[]): string {
  return listed.map(({ id }) => code(id)).join(', ');
}
