import { describeSettings, type SettingDescription } from '../../packages/shared/src/kernel/config/index.ts';
import { code, generatedNote, table } from './markdown.ts';

/** `docs/configuration.md` from the schema that the processes parse their environment with. */
export function configurationPage(): string {
  return `# Configuration

${generatedNote}

Each setting is one environment variable. All processes read the same ones and use what they need. An empty variable
counts as left out. A wrong one stops the process with a sentence that names it.

${table(['Variable', 'Default', 'Values', 'Meaning'], describeSettings().map(rowOf))}

A secret appears in no log and no error.
`;
}

function rowOf({ name, default: value, values, meaning, secret }: SettingDescription): string[] {
  const shown = value === undefined ? 'none' : code(value);
  return [code(name), shown, values, secret ? `${meaning} A secret.` : meaning];
}
