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

No log or error contains a secret.
`;
}

function rowOf({ name, default: value, values, description, secret }: SettingDescription): string[] {
  const defaultValue = value === undefined ? 'none' : code(value);
  return [code(name), defaultValue, values, secret ? `${description} A secret.` : description];
}
