import { describeSettings, type SettingDescription } from '../../packages/kernel/src/config/describe.ts';
import { code, generatedNote, table } from './markdown.ts';

/** Generates `docs/configuration.md` from the schema of the settings. */
export function configurationPage(): string {
  return `# Configuration

${generatedNote}

For operators: all settings of the service.

Each setting is an environment variable. All processes read the same settings and use what they need. An empty variable counts as
missing. If a setting is invalid, the process exits with 2 and a message that names it.

${table(['Variable', 'Default', 'Values', 'Meaning'], describeSettings().map(rowOf))}

## Secrets

- No log or error contains a secret.
- A line break at the end of a secret is removed, as \`kubectl create secret --from-file\` and \`echo\` add one.
- Each secret can come from a file of at most 64 KiB: \`AUTH_TOKEN_FILE=/run/secrets/token\` replaces \`AUTH_TOKEN\`. A process reads the file when
  it starts.
- In \`DATABASE_URL\`, \`DATABASE_DIRECT_URL\` and \`REDIS_URL\`, special characters of the user and the password must be percent-encoded. The
  process refuses a raw \`/\`, \`?\`, \`#\` or \`@\`.
- The parts of an address are not percent-encoded:

\`\`\`sh
DATABASE_HOST=postgres DATABASE_NAME=continuity DATABASE_USER=app DATABASE_PASSWORD_FILE=/run/secrets/password npm start
\`\`\`
`;
}

function rowOf({ name, default: value, values, description, secret }: SettingDescription): string[] {
  const defaultValue = value === undefined ? 'none' : code(value);
  return [code(name), defaultValue, values, secret ? `${description} A secret.` : description];
}
