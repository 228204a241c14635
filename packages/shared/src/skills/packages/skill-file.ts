import { trimWhiteEnd } from '@continuity/contract';
import { compareCodePoints } from '@continuity/shared/kernel';

/** What a package says of itself in its `SKILL.md` (spec 40 §5.3). */
export type SkillFields = {
  name: string;
  description: string;
  instructions: string;
  license: string | null;
  compatibility: string | null;
  metadata: Record<string, string>;
  allowed_tools: string | null;
};

/** The text of a `SKILL.md` that says these fields, and what it says: the checks are a part of the instructions (spec 40 §5.5). */
export function writeSkillFile(
  fields: SkillFields,
  validation: readonly string[],
): { text: string; says: SkillFields } {
  const checks = validation.map((item) => `- ${item}\n`).join('');
  const body = `${trimWhiteEnd(fields.instructions)}${checks && `\n\n## Validation\n\n${checks.slice(0, -1)}`}\n`;
  const text = `---\n${frontMatter(fields)}---\n\n${body}`;
  return { text, says: { ...fields, instructions: instructionsOf(body) } };
}

/** The instructions in what follows the front matter: without leading line breaks and trailing white space (spec 40 §5.3). */
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

/** A JSON string is a YAML one too, if no control character stands in it as it is. */
function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
