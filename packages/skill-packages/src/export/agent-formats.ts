import { type AgentKind, slugPattern } from '@continuity/contract/skill-format';
import { codePointLength } from '@continuity/contract/text';
import type { SkillFields } from '../skill-file/skill-fields.ts';

interface AgentFormat {
  /** Folders from the project to the root of its Skills. */
  root: readonly [string, string];
  maxDescription: number;
  /** Characters that a description may not hold. */
  markup: RegExp | null;
}

/** Requirements of each agent (spec 40 §5.7). */
export const agentFormats: Readonly<Record<AgentKind, AgentFormat>> = {
  codex: { root: ['.agents', 'skills'], maxDescription: 1_024, markup: /[<>]/ },
  claude_code: { root: ['.claude', 'skills'], maxDescription: 1_536, markup: null },
};

const slug = new RegExp(slugPattern);

/** Describes the first requirement of the agent that a Skill does not meet; undefined if it meets all. */
export function findFormatProblem(
  agent: AgentKind,
  { name, description }: Pick<SkillFields, 'name' | 'description'>,
): 'description_markup' | 'description_length' | 'name' | undefined {
  const { maxDescription, markup } = agentFormats[agent];
  if (markup?.test(description)) return 'description_markup';
  if (codePointLength(description) > maxDescription) return 'description_length';
  return slug.test(name) ? undefined : 'name';
}
