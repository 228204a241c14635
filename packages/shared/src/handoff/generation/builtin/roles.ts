import { disposition as dispositionShape, type HandoffDraft } from '@continuity/contract/handoff';
import type { JsonValue } from '@continuity/shared/kernel';
import type { EvidenceRecord, Statement } from '../../../memory/index.ts';

/** What a statement is for a draft: named as the next step, open work, or anything else. */
export type Role = 'next' | 'open' | 'said';

/** How the statements of one piece of evidence are meant. */
export interface Roles {
  roleOf(statement: Statement): Role;
  /** As a boundary itself says it; null for all other evidence. */
  disposition: HandoffDraft['disposition'] | null;
}

const blocked =
  /(?<!\b(?:not|no longer|never) )(?<!\bun)\bblocked\b|(?<!\bno )\bblockers?\b|\bwaiting (?:for|on)\b|阻塞/iu;
const nextStep = /\bnext (?:steps?|action)\b|下一步/iu;

/** Whether a statement of open work says that something outside of the work is waited for. */
export function saysBlocked({ kind, text }: Statement): boolean {
  return kind === 'working_note' && blocked.test(text);
}

/** A boundary says itself what comes next and whether it is blocked; of other evidence its words are looked at. */
export function readRoles(content: JsonValue, record: EvidenceRecord | null): Roles {
  if (record === 'handoff-boundary') return boundaryRoles(content);
  return { roleOf: roleByWords, disposition: null };
}

function roleByWords(statement: Statement): Role {
  if (saysBlocked(statement)) return 'said';
  if (nextStep.test(statement.text)) return 'next';
  return statement.kind === 'working_note' ? 'open' : 'said';
}

function boundaryRoles(content: JsonValue): Roles {
  const { next_action: next = null, disposition = null } = fieldsOf(content);
  const text = fieldsOf(next)['text'];
  return {
    roleOf: (statement) => (typeof text === 'string' && text.includes(statement.text) ? 'next' : 'said'),
    disposition: dispositionShape.safeParse(disposition).data ?? null,
  };
}

function fieldsOf(value: JsonValue): { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}
