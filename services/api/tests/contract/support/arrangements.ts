import type { MemoryCitation } from '@continuity/contract';
import { operationTable } from '@continuity/contract/operations';
import type { Client, OperationId } from '@continuity/testing';
import { captureEvidence, proposeFirst, proposeFirstSkill } from './candidates.ts';
import { catalogArrangements } from './catalog.ts';
import { registerExample, registerForFork } from './external-skills.ts';
import { captureNotes } from './generation.ts';
import { captureCited, commitFirst } from './handoffs.ts';
import { failedJob } from './places.ts';
import { preparePublication } from './publications.ts';
import { remoteArrangements } from './remote-skills.ts';
import { exampleRequest, freshScope, type Request, sendExample, sendRequest } from './requests.ts';
import { nameExperience, nameSkill, nameSkillById, observeSkill } from './skills.ts';

/** Brings about what an operation needs to answer a status in a Scope, and says what its request must name. */
type Arrangement = (client: Client, scope: string, status: number) => Promise<Partial<Request>>;

/** For operations whose example alone cannot succeed, because it names what some other operation makes. */
export const arrangements: Partial<Record<OperationId, Arrangement>> = {
  get_scope: writeFirst,
  update_scope: writeFirst,
  set_default_scope: writeFirst,
  set_scope_binding: writeFirst,
  resolve_scope_selection: async (client, scope) => {
    await writeFirst(client, scope);
    return { body: { selection: { mode: 'exact', scope_ids: [scope] } } };
  },
  get_stats: async (client, scope) => {
    await writeFirst(client, scope);
    return { body: { selection: { mode: 'exact', scope_ids: [scope] } } };
  },
  get_handoff_report: selectScope,
  view_handoff_report: writeFirst,
  get_source: writeFirst,
  trace_source: async (client, scope) => {
    await sendExample(client, 'capture_content_source', scope);
    return {};
  },
  submit_source_observation: async (client, scope) => {
    await sendExample(client, 'register_source_definition', scope);
    return {};
  },
  get_memory_entry: citeRemembered,
  revise_memory_entry: citeRemembered,
  list_memory_entry_history: async (client, scope) => {
    const { entry_id } = citationIn(await sendExample(client, 'remember_memory', scope));
    return { body: { entry_id } };
  },
  retire_memory_entry: citeRemembered,
  get_artifact: async (client, scope, status) => {
    await sendExample(client, 'create_artifact', scope);
    return status === 304 ? { headers: { 'If-None-Match': '*' } } : {};
  },
  replace_artifact: async (client, scope) => {
    await sendExample(client, 'create_artifact', scope);
    return replaceHead(client, scope, { kind: 'fact', text: 'Another fact.' });
  },
  get_artifact_revision: async (client, scope) => {
    await sendExample(client, 'create_artifact', scope);
    return { params: { revision: '1' } };
  },
  list_artifact_revisions: async (client, scope) => {
    await sendExample(client, 'create_artifact', scope);
    return {};
  },
  publish_artifact: preparePublication,
  create_work_contract: captureCited,
  handoff_current_work: captureCited,
  record_task_outcome: captureCited,
  finalize_handoff: captureCited,
  commit_handoff: captureCited,
  prepare_handoff: captureCited,
  activate_handoff: captureCited,
  acknowledge_handoff: commitFirst,
  propose_experience: captureEvidence,
  propose_skill: captureEvidence,
  get_artifact_candidate: proposeFirst,
  approve_artifact_candidate: proposeFirst,
  reject_artifact_candidate: proposeFirst,
  revise_artifact_candidate: proposeFirst,
  list_candidate_versions: proposeFirst,
  get_candidate_package_manifest: proposeFirstSkill,
  download_candidate_package: proposeFirstSkill,
  read_candidate_package_file: proposeFirstSkill,
  generate_experience: captureNotes,
  generate_skill: captureNotes,
  resolve_external_skill: registerExample,
  import_external_skill: registerForFork,
  get_experience: nameExperience,
  get_skill: nameSkill,
  get_skill_package_manifest: nameSkill,
  download_skill_package: nameSkill,
  update_skill_lifecycle: nameSkillById,
  record_skill_usage: observeSkill,
  ...catalogArrangements,
  ...remoteArrangements,
  get_job: async (client) => {
    const headers = { prefer: 'respond-async' };
    const job = await sendExample(client, 'flush_memory', freshScope(), { headers });
    return { params: { job_id: String(job['job_id']) } };
  },
  retry_job: async () => ({ params: { job_id: failedJob } }),
};

/** Selects the Scope instead of the Project of the example. */
async function selectScope(client: Client, scope: string): Promise<Partial<Request>> {
  await writeFirst(client, scope);
  return { body: { project_id: null, selection: { mode: 'exact', scope_ids: [scope] } } };
}

/** Makes the Scope by capturing a Source. */
async function writeFirst(client: Client, scope: string): Promise<Partial<Request>> {
  await sendExample(client, 'capture_content_source', scope);
  return {};
}

async function citeRemembered(client: Client, scope: string): Promise<Partial<Request>> {
  return { body: { citation: citationIn(await sendExample(client, 'remember_memory', scope)) } };
}

/** A Replace of the head of the Scope Memory by one command. */
export async function replaceHead(
  client: Client,
  scope: string,
  command: Record<string, string>,
): Promise<Partial<Request>> {
  const head = await sendRequest(
    client,
    operationTable.get_artifact,
    exampleRequest(operationTable.get_artifact, scope),
  );
  return {
    headers: { 'If-Match': head.headers.get('etag') ?? '' },
    body: { content: { entries: [command] } },
  };
}

/** The citation of the entry in the answer of a Memory write. */
export function citationIn(answer: Record<string, unknown>): MemoryCitation {
  return (answer['entry'] as { citation: MemoryCitation }).citation;
}
