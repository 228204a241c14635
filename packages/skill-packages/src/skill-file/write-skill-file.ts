import { trimWhiteEnd } from '@continuity/contract/text';
import { compareBytes } from '../files.ts';
import { instructionsOf, type SkillFields } from './skill-fields.ts';

/** Writes a `SKILL.md`. Returns its text and its fields, whose instructions include the checks (spec 40 §5.5). */
export function writeSkillFile(
  fields: SkillFields,
  validation: readonly string[],
): { text: string; fields: SkillFields } {
  const checks = validation.map((item) => `- ${item}\n`).join('');
  const body = `${trimWhiteEnd(fields.instructions)}${checks && `\n\n## Validation\n\n${checks.slice(0, -1)}`}\n`;
  const text = `---\n${frontMatter(fields)}---\n\n${body}`;
  return { text, fields: { ...fields, instructions: instructionsOf(body) } };
}

function frontMatter({
  name,
  description,
  license,
  compatibility,
  metadata,
  allowed_tools,
}: SkillFields): string {
  const line = (key: string, value: string | null): string =>
    value === null ? '' : `${key}: ${jsonString(value)}\n`;
  return [
    line('name', name),
    line('description', description),
    line('license', license),
    line('compatibility', compatibility),
    metadataBlock(metadata),
    line('allowed-tools', allowed_tools),
  ].join('');
}

function metadataBlock(metadata: Record<string, string>): string {
  const entries = Object.entries(metadata).sort(([left], [right]) => compareBytes(left, right));
  if (entries.length === 0) return '';
  const lines = entries.map(([key, value]) => `  ${jsonString(key)}: ${jsonString(value)}\n`);
  return `metadata:\n${lines.join('')}`;
}

/** Writes a YAML string. A JSON string without raw control characters is one. */
function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
