import { experience } from '../support/documents.ts';
import { retro, sourceOf } from '../support/generation.ts';
import type { Caller } from './caller.ts';
import type { Ledger, WriteKind } from './ledger.ts';

/** Dependencies of a writer. */
export interface Pen {
  caller: Caller;
  ledger: Ledger;
  projectId: string;
  /** True when a write must be given up. */
  isOver: () => boolean;
}

/** Makes one write with this id in this Scope, and records its outcome. */
export type MakeWrite = (pen: Pen, id: string, scope: string, count: number) => Promise<void>;

/** The Scope of all reports. It exists before the load starts. */
export const reportedScope = 'reported';

const lessonOf = (id: string) => experience({ lesson: `Lesson of ${id}` });

/** Sends a Source again until it is captured: its id makes that safe. */
async function capture({ caller, ledger, isOver }: Pen, id: string, scope: string, content: string) {
  const write = ledger.write('capture', id, scope);
  const body = { scope_id: scope, source_id: id, content };
  const reply = await caller.untilAnswered(isOver, 'capture', 'capture_content_source', { body });
  write.isAnswered = reply !== undefined;
}

/** The load: what each kind of writer does, over and over. */
export const writers: Partial<Record<WriteKind, MakeWrite>> = {
  /** Has no identity: it is sent once, and may be there even if it was refused. */
  remember: async ({ caller, ledger }, id, scope) => {
    const write = ledger.write('remember', id, scope);
    const body = { scope_id: scope, kind: 'fact', text: `Fact of ${id}` } as const;
    write.isAnswered = (await caller.once('remember', 'remember_memory', { body })) !== undefined;
  },

  flush: async (pen, id, scope, count) => {
    await capture(pen, id, scope, `We use Kafka for ${id}.`);
    const isAsync = count % 3 === 0;
    const write = pen.ledger.write('flush', id, scope);
    const headers = isAsync ? { prefer: 'respond-async' } : {};
    const reply = await pen.caller.once('flush', 'flush_memory', { headers, body: { scope_id: scope } });
    write.isAnswered = reply !== undefined;
    if (reply?.status === 202) write.answer.jobId = jobIdOf(reply.body);
  },

  artifact: async ({ caller, ledger, isOver }, id, scope) => {
    const write = ledger.write('artifact', id, scope);
    const reply = await caller.untilAnswered(isOver, 'artifact', 'create_artifact', {
      params: { scope_id: scope },
      headers: { 'idempotency-key': id },
      body: { family: 'experience', content: lessonOf(id) },
    });
    write.isAnswered = reply !== undefined;
  },

  review: async (pen, id, scope) => {
    const { caller, ledger, isOver } = pen;
    await capture(pen, `${id}-evidence`, scope, 'Seen.');
    const write = ledger.write('review', id, scope);
    const proposed = await caller.untilAnswered(isOver, 'review', 'propose_experience', {
      headers: { 'idempotency-key': id },
      body: {
        scope_id: scope,
        proposal: lessonOf(id),
        source_refs: [sourceOf(`${id}-evidence`)],
        artifact_refs: [],
      },
    });
    if (proposed === undefined) return;
    const { candidate_id } = proposed.body;
    write.answer.candidateId = candidate_id;
    // An approval whose answer was lost is a decided Candidate for the next one.
    const body = { scope_id: scope, candidate_id, expected_version: 1 };
    const approved = await caller.untilAnswered(isOver, 'review', 'approve_artifact_candidate', { body }, [
      'candidate_terminal',
    ]);
    write.isAnswered = approved !== undefined;
  },

  activity: async ({ caller, ledger, projectId, isOver }, id, scope) => {
    const write = ledger.write('activity', id, scope);
    const reply = await caller.untilAnswered(isOver, 'activity', 'record_handoff_report_activity', {
      body: {
        project_id: projectId,
        source: 'coding_session',
        source_event_id: id,
        time_basis: 'host_observed',
      },
    });
    write.isAnswered = reply !== undefined;
  },

  generate: async (pen, id, scope, count) => {
    await capture(pen, id, scope, retro);
    const write = pen.ledger.write('generate', id, scope);
    const headers = count % 2 === 0 ? { prefer: 'respond-async' } : {};
    const body = { scope_id: scope, source_refs: [sourceOf(id)], artifact_refs: [] };
    const reply = await pen.caller.untilAnswered(pen.isOver, 'generate', 'generate_experience', {
      headers,
      body,
    });
    write.isAnswered = reply !== undefined;
    if (reply?.status === 202) write.answer.jobId = jobIdOf(reply.body);
  },

  report: async ({ caller, ledger }, id, scope, count) => {
    const write = ledger.write('report', id, scope);
    const headers = count % 3 === 0 ? { prefer: 'respond-async' } : {};
    const body = { selection: { mode: 'exact' as const, scope_ids: [reportedScope] } };
    const reply = await caller.once('report', 'get_handoff_report', { headers, body });
    write.isAnswered = reply !== undefined;
    if (reply?.status === 202) write.answer.jobId = jobIdOf(reply.body);
  },
};

/** The id in a 202. The client types a body as that of a 200. */
const jobIdOf = (body: unknown) => (body as { job_id: string }).job_id;
