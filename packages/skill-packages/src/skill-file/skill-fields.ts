import { trimWhiteEnd } from '@continuity/contract/text';

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

/** Returns the instructions: the text after the front matter, without leading line breaks and trailing white space (spec 40 §5.3). */
export function instructionsOf(body: string): string {
  return trimWhiteEnd(body.replace(/^[\r\n]+/, ''));
}
