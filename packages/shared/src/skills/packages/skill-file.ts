import { trimWhiteEnd } from '@continuity/contract';
import { compareCodePoints } from '@continuity/shared/kernel';

/** The fields of a package's `SKILL.md` (spec 40 §5.3). */
export type SkillFields = {
  name: string;
  description: string;
  instructions: string;
  license: string | null;
  compatibility: string | null;
  metadata: Record<string, string>;
  allowed_tools: string | null;
};

/** Writes a `SKILL.md`. Returns its text and the fields as a reader gets them: the checks are part of the instructions (spec 40 §5.5). */
export function writeSkillFile(
  fields: SkillFields,
  validation: readonly string[],
): { text: string; says: SkillFields } {
  const checks = validation.map((item) => `- ${item}\n`).join('');
  const body = `${trimWhiteEnd(fields.instructions)}${checks && `\n\n## Validation\n\n${checks.slice(0, -1)}`}\n`;
  const text = `---\n${frontMatter(fields)}---\n\n${body}`;
  return { text, says: { ...fields, instructions: instructionsOf(body) } };
}

/** Returns the instructions: the text after the front matter, without leading line breaks and trailing white space (spec 40 §5.3). */
export function instructionsOf(body: string): string {
  return trimWhiteEnd(body.replace(/^[\r\n]+/, ''));
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
  const entries = Object.entries(metadata).sort(([left], [right]) => compareCodePoints(left, right));
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
