import type { ArtifactRef } from '@continuity/contract';
import { experience, skill } from '../support/documents.ts';
import { retro, sourceOf } from '../support/generation.ts';
import { bearing, receiptOf, receiverVersion } from '../support/remote-skills.ts';
import type { Caller } from './caller.ts';
import { importedSkill } from './deployment.ts';
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

  import: async ({ caller, ledger, isOver }, id, scope) => {
    const scan = ledger.write('scan', id, scope);
    const body = { scope_id: scope };
    const scanned = await caller.untilAnswered(isOver, 'scan', 'scan_external_skills', { body });
    scan.isAnswered = scanned !== undefined;
    const found = scanned?.body.registrations.find(({ name }) => name === importedSkill);
    if (found === undefined) return;
    const write = ledger.write('import', id, scope);
    const { external_skill_id, fingerprint } = found;
    const reply = await caller.untilAnswered(isOver, 'import', 'import_external_skill', {
      body: { scope_id: scope, external_skill_id, fingerprint, mode: 'import' },
    });
    write.isAnswered = reply !== undefined;
  },

  /** Publishes a Skill to a new target, whose Receiver then reconciles and reports the installation. */
  reconcile: async (pen, id, scope) => {
    const enrolled = await enrollTarget(pen, id, scope);
    const artifact = await makeSkill(pen, scope);
    if (enrolled === undefined || artifact === undefined) return;
    const { caller, ledger, isOver } = pen;
    const headers = bearing(enrolled.credential);
    const publication = ledger.write('publish', id, scope);
    // A publication whose answer was lost is a conflict for the next request.
    const published = await caller.untilAnswered(
      isOver,
      'publish',
      'publish_remote_skill',
      { body: { scope_id: scope, target_id: enrolled.target_id, artifact, expected_generation: null } },
      ['remote_publication_conflict'],
    );
    publication.isAnswered = published !== undefined;
    const write = ledger.write('reconcile', id, scope);
    const reconciled = await caller.untilAnswered(isOver, 'reconcile', 'reconcile_remote_skills', {
      headers,
      body: { observations: [], receiver_version: receiverVersion },
    });
    if (reconciled === undefined) return;
    const [action, ...others] = reconciled.body.actions;
    if (action === undefined || others.length > 0) {
      ledger.surprises.push(`reconcile ${id} gave ${others.length + Number(action !== undefined)} actions`);
      return;
    }
    const receipt = await caller.untilAnswered(isOver, 'publish', 'record_remote_skill_receipt', {
      headers,
      body: receiptOf(action),
    });
    write.isAnswered = receipt !== undefined;
  },
};

/** Undefined if an answer was lost: it had the only copy of the code or of the credential. */
async function enrollTarget({ caller, isOver }: Pen, id: string, scope: string) {
  const created = await caller.untilAnswered(isOver, 'publish', 'create_remote_skill_target', {
    body: { scope_id: scope, agent_kind: 'codex', display_name: id },
  });
  if (created === undefined) return undefined;
  const enrolled = await caller.untilAnswered(
    isOver,
    'publish',
    'enroll_remote_skill_target',
    {
      body: {
        enrollment_code: created.body.enrollment_code,
        installation_id: id,
        receiver_version: receiverVersion,
      },
    },
    ['enrollment_invalid'],
  );
  return enrolled?.error === undefined ? enrolled?.body : undefined;
}

/** Creates the Skill of the Scope, or reads it if it is there. */
async function makeSkill({ caller, isOver }: Pen, scope: string): Promise<ArtifactRef | undefined> {
  const created = await caller.untilAnswered(isOver, 'publish', 'create_artifact', {
    params: { scope_id: scope },
    headers: { 'idempotency-key': `skill-of-${scope}` },
    body: { family: 'skill', content: skill() },
  });
  if (created === undefined) return undefined;
  const { artifact_id, revision } = created.body;
  return { family: 'skill', artifact_id, revision };
}

/** The id in a 202. The client types a body as that of a 200. */
const jobIdOf = (body: unknown) => (body as { job_id: string }).job_id;
