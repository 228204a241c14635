import type { Issue } from '@continuity/contract';
import {
  maxSkillFileBytes,
  maxStandardDescription,
  maxStandardName,
  slugPattern,
} from '@continuity/contract/skill-format';
import { codePointLength, isBlank } from '@continuity/contract/text';
import type { SkillFields } from './skill-fields.ts';
import { writeSkillFile } from './write-skill-file.ts';

const slug = new RegExp(slugPattern);

/** Checks fields against the Agent Skills format (spec 40 §1, §5.5). Paths are those of fields, such as `name`. */
export function findFieldIssues(fields: SkillFields, validation: readonly string[]): Issue[] {
  const issues: Issue[] = [];
  const { name, description, instructions } = fields;
  if (!slug.test(name) || name.length > maxStandardName) {
    const message = `must have 1 to ${maxStandardName} characters: words of a-z and 0-9, joined by single hyphens`;
    issues.push({ path: 'name', message });
  }
  if (codePointLength(description) > maxStandardDescription) {
    const message = `must have at most ${maxStandardDescription} characters`;
    issues.push({ path: 'description', message });
  }
  if (isBlank(instructions) && validation.length === 0) {
    issues.push({ path: 'instructions', message: 'must not be blank if validation is empty' });
  } else if (Buffer.byteLength(writeSkillFile(fields, validation).text) > maxSkillFileBytes) {
    const message = `must fit into a SKILL.md of at most ${maxSkillFileBytes} bytes`;
    issues.push({ path: 'instructions', message });
  }
  return issues;
}
