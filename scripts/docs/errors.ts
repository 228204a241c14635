import {
  type ErrorCode,
  errorCatalogue,
  errorMeanings,
  errorsOf,
  type OperationSpec,
} from '../../packages/contract/src/index.ts';
import { operations } from '../../packages/contract/src/operations/index.ts';
import { code, generatedNote, table } from './markdown.ts';

/** `docs/errors.md` from the error catalogue and the operations that declare each code. */
export function errorsPage(): string {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter((one) => operationsWith(one) !== '');
  return `# Errors

${generatedNote}

Every error has one envelope. \`code\` and \`details\` are part of the contract; \`message\` is for people.

\`\`\`json
${JSON.stringify(exampleEnvelope, null, 2)}
\`\`\`

${table(['Status', 'Code', 'When', 'Operations'], codes.map(rowOf))}

Every 503 has \`Retry-After\`, every 405 \`Allow\`, every 401 \`WWW-Authenticate: Bearer\`. Every answer has
\`X-Service-Request-ID\`, which finds it in logs and traces.
`;
}

const { message, details } = errorMeanings.invalid_request;
const exampleEnvelope = { error: { code: 'invalid_request', message, details } };

function rowOf(errorCode: ErrorCode): string[] {
  return [
    String(errorCatalogue[errorCode]),
    code(errorCode),
    errorMeanings[errorCode].when,
    operationsWith(errorCode),
  ];
}

/** Groups of operations that a reader knows without a list, the widest first. */
const groups: [string, (operation: OperationSpec) => boolean][] = [
  ['every operation', () => true],
  ['every operation with a token', ({ auth }) => auth !== 'public'],
  ['every operation with input', (operation) => errorsOf(operation).includes('invalid_request')],
  ['every operation with a body', ({ body }) => body !== undefined],
  ['every operation behind a queue', ({ run }) => run !== 'direct'],
];

/** The operations that declare the code: a group that is exactly these, or else a list; empty for a code that none gives. */
function operationsWith(errorCode: ErrorCode): string {
  const declaring = operations.filter((operation) => errorsOf(operation).includes(errorCode));
  if (errorCode === 'not_found') return 'any other path';
  const ids = idsOf(declaring);
  const group = groups.find(([, isMember]) => idsOf(operations.filter(isMember)) === ids);
  return group?.[0] ?? ids;
}

function idsOf(listed: readonly OperationSpec[]): string {
  return listed.map(({ id }) => code(id)).join(', ');
}
