import { disposition as dispositionShape, type HandoffDraft } from '@continuity/contract/handoff';
import type { JsonValue } from '@continuity/kernel/json';
import type { EvidenceRecord, Statement } from '../../../memory/index.ts';

/** Role of a statement in a draft: the named next step, open work, or anything else. */
export type Role = 'next' | 'open' | 'other';

/** Roles of the statements of one piece of evidence. */
interface Roles {
  roleOf(statement: Statement): Role;
  /** As declared by a boundary; null for other evidence. */
  disposition: HandoffDraft['disposition'] | null;
}

const blocked =
  /(?<!\b(?:not|no longer|never) )(?<!\bun)\bblocked\b|(?<!\bno )\bblockers?\b|\bwaiting (?:for|on)\b|阻塞/iu;
const nextStep = /\bnext (?:steps?|action)\b|下一步/iu;

/** Whether a statement of open work says that the work is blocked. */
export function isBlockedStatement({ kind, text }: Statement): boolean {
  return kind === 'working_note' && blocked.test(text);
}

/** Takes next action and disposition of a boundary from its fields, and the roles of other evidence from its words. */
export function readRoles(json: string, record: EvidenceRecord | null): Roles {
  if (record === 'handoff-boundary') return boundaryRoles(JSON.parse(json) as JsonValue);
  return { roleOf: roleByWords, disposition: null };
}

function roleByWords(statement: Statement): Role {
  if (isBlockedStatement(statement)) return 'other';
  if (nextStep.test(statement.text)) return 'next';
  return statement.kind === 'working_note' ? 'open' : 'other';
}

function boundaryRoles(content: JsonValue): Roles {
  const { next_action: next = null, disposition = null } = fieldsOf(content);
  const text = fieldsOf(next)['text'];
  return {
    roleOf: (statement) => (typeof text === 'string' && text.includes(statement.text) ? 'next' : 'other'),
    disposition: dispositionShape.safeParse(disposition).data ?? null,
  };
}

function fieldsOf(value: JsonValue): { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
