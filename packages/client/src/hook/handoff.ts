import { boundedId } from '@continuity/contract/turns';
import { handoffOf } from './context.ts';
import type { NotedText, SessionNotes } from './notes.ts';
import type { Queue } from './queue.ts';
import { isRefusedForGood } from './send.ts';
import { Refusal, type Service } from './service.ts';

/** Limits of a Handoff before compaction: turns, and characters of each text (spec 70 §4.2.2). */
const maxTurns = 6;
const maxStatement = 1_000;
/** Most Citations of a draft. */
const maxEvidence = 32;
/** Attempts to commit a draft while other sessions commit theirs, and to find a free id. */
const maxAttempts = 5;

interface Claim {
  text: string;
  basis: 'verified' | 'declared';
  evidence: unknown[];
}

interface Turn {
  prompt?: NotedText;
  answer?: NotedText;
}

/** Commits the Handoff of an ended session: drafted from its texts, else built from its last turns. */
export async function commitEndHandoff(service: Service, queue: Queue, notes: SessionNotes): Promise<void> {
  if (objectiveOf(notes) === undefined) return;
  const isAnswered = notes.texts.some(({ role }) => role === 'answer');
  // A session in which the agent said nothing does not hide the work of another one.
  if (!isAnswered && (await handoffOf(service, notes.scope_id)) !== undefined) return;
  if (!(await commitDraft(service, notes))) await commitCurrentWork(service, queue, notes);
}

/** Commits a Handoff that the service drafts. Returns false if it drafts none. */
async function commitDraft(service: Service, notes: SessionNotes): Promise<boolean> {
  const { scope_id, texts } = notes;
  const sources = texts
    .filter(({ isStored }) => isStored)
    .map(({ source_id }) => ({ name: 'content', source_id }))
    .filter(({ source_id }, index, all) => all.findLastIndex((one) => one.source_id === source_id) === index)
    .slice(-maxEvidence);
  const boundary_source = sources.pop();
  if (boundary_source === undefined) return false;
  const evidence = sources.map((source_ref) => ({ kind: 'source', source_ref }));
  const objective = objectiveOf(notes);
  try {
    const { draft } = await service.post<{ draft: unknown }>('/v1/handoff/activate', {
      ...{ scope_id, boundary_source, objective, evidence },
    });
    if (draft === null) return false;
    await commitOnHead(service, scope_id, draft);
    return true;
  } catch (error) {
    // A model or a worker that is missing or fails: a Handoff without one is better than none.
    if (error instanceof Refusal && ![401, 403, 429].includes(error.status)) return false;
    throw error;
  }
}

async function commitOnHead(service: Service, scope_id: string, draft: unknown): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const handoff = await service.post('/v1/handoff/finalize', { scope_id, draft });
    try {
      await service.post('/v1/handoff/commit', { scope_id, handoff });
      return;
    } catch (error) {
      const isOvertaken = error instanceof Refusal && error.code === 'revision_conflict';
      if (!isOvertaken || attempt === maxAttempts) throw error;
    }
  }
}

/** Commits a Handoff of the last turns, without a model. Returns its revision; undefined for a session without a prompt. */
export async function commitCurrentWork(
  service: Service,
  queue: Queue,
  notes: SessionNotes,
): Promise<number | undefined> {
  const objective = objectiveOf(notes);
  const turns = turnsOf(notes);
  if (objective === undefined || turns.length === 0) return undefined;
  const read = (text: NotedText) => textOf(service, queue, notes.scope_id, text);
  const last = turns.slice(-maxTurns);
  const claims = await Promise.all(
    last.map(async ({ prompt, answer }) => [
      ...(prompt ? [claimOf('Asked: ', await read(prompt), prompt)] : []),
      ...(answer ? [claimOf('Answered: ', await read(answer), answer)] : []),
    ]),
  );
  const state = claims.flat().filter((claim) => claim !== undefined);
  if (state.length === 0) state.push({ text: objective, basis: 'declared', evidence: [] });
  const open = last.at(-1);
  const next = open?.prompt && !open.answer ? claimOf('', await read(open.prompt), open.prompt) : undefined;
  const older = turns.length - last.length;
  const handoff = {
    ...{ objective, state, disposition: 'continuable', next_action: next ?? null },
    omissions: older === 0 ? [] : [`${older} earlier ${older === 1 ? 'turn is' : 'turns are'} left out.`],
  };
  try {
    return await commitUnderFreeId(service, notes, handoff);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'handoff_evidence_not_found') throw error;
    // Some of it was erased.
    const declared = (claim: Claim): Claim => ({ text: claim.text, basis: 'declared', evidence: [] });
    const next_action = next ? declared(next) : null;
    return await commitUnderFreeId(service, notes, { ...handoff, state: state.map(declared), next_action });
  }
}

async function commitUnderFreeId(
  service: Service,
  { scope_id, host, session_id, compactions }: SessionNotes,
  handoff: Record<string, unknown>,
): Promise<number | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const source_id = await boundedId(`${host}/${session_id}`, `/compaction-${compactions + attempt}`);
    const request = { scope_id, source_id, handoff, commit: true };
    try {
      const { committed } = await service.post<{ committed: { revision: number } | null }>(
        '/v1/work/handoffs/prepare-current',
        request,
      );
      return committed?.revision;
    } catch (error) {
      const isTaken = error instanceof Refusal && error.code === 'source_conflict';
      if (!isTaken || attempt === maxAttempts) throw error;
    }
  }
}

/** The first prompt of a session. */
function objectiveOf({ texts }: SessionNotes): string | undefined {
  return texts.find(({ objective }) => objective !== undefined)?.objective;
}

function turnsOf({ texts }: SessionNotes): Turn[] {
  const turns = new Map<string, Turn>();
  for (const text of texts) {
    const turn = turns.get(text.turn) ?? {};
    turn[text.role] = text;
    turns.set(text.turn, turn);
  }
  return [...turns.values()];
}

function claimOf(prefix: string, text: string, { source_id, isStored }: NotedText): Claim | undefined {
  const said = Array.from(text.slice(0, 2 * maxStatement + 2))
    .slice(0, maxStatement)
    .join('')
    .trim();
  if (said === '') return undefined;
  return {
    text: prefix + said,
    basis: isStored ? 'verified' : 'declared',
    evidence: isStored ? [{ kind: 'source', source_ref: { name: 'content', source_id } }] : [],
  };
}

/** The beginning of a text, from the queue or the service; empty if neither has it. */
async function textOf(service: Service, queue: Queue, scope_id: string, text: NotedText): Promise<string> {
  const { queued, source_ids } = text;
  const waiting = queued === null || text.isStored ? undefined : queue.read(queued);
  if (waiting !== undefined) return waiting.sources[0]?.content ?? '';
  const path = `/v1/scopes/${encodeURIComponent(scope_id)}/sources/content/${encodeURIComponent(source_ids[0] ?? '')}`;
  try {
    const { content } = await service.get<{ content: unknown }>(path);
    return typeof content === 'string' ? content : '';
  } catch (error) {
    if (isRefusedForGood(error)) return '';
    throw error;
  }
}
