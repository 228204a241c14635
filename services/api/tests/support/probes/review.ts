import { experience } from '../documents.ts';
import { type Names, planted } from '../planted.ts';
import { proposed, referencesOf } from './evidence.ts';
import { type Probe, type Probes, post } from './probe.ts';

/** Proposals whose evidence or target has one of the names. */
function proposals(path: string, names: Names, proposal: unknown): Probe[] {
  const targets = [
    { family: 'experience', artifact_id: names.experience_id, revision: 1 },
    { family: 'skill', artifact_id: names.skill_id, revision: 1 },
  ];
  return [
    post(path, proposed(names, proposal)),
    ...targets.map((target) =>
      post(path, { ...proposed(names, proposal), artifact_refs: [target], target, source_refs: [] }),
    ),
  ];
}

/** A decision about a version of the Candidate. */
function decide(
  decision: string,
  { scope_id, candidate_id }: Names,
  expected_version: number,
  more?: object,
): Probe {
  const body = { scope_id, candidate_id, expected_version, ...more };
  return post(`/v1/artifact-candidates/${decision}`, body);
}

/** Probes of the operations of proposals, generation and review. */
export const reviewProbes = {
  propose_experience: (names) => [
    ...proposals('/v1/experience/propose', names, experience()),
    post('/v1/experience/propose', proposed(names, experience()), { 'idempotency-key': names.key }),
  ],
  propose_skill: (names) => proposals('/v1/skill/propose', names, planted),
  generate_experience: (names) => [
    post('/v1/experience/generate', { scope_id: names.scope_id, ...referencesOf(names) }),
    post('/v1/experience/generate', {
      scope_id: names.scope_id,
      source_refs: [{ name: 'content', source_id: names.source_id }],
      artifact_refs: [],
    }),
  ],
  generate_skill: ({ scope_id, source_id, skill_id }) => {
    const source_refs = [{ name: 'content', source_id }];
    const target = { family: 'skill', artifact_id: skill_id, revision: 1 };
    return [
      post('/v1/skill/generate', { scope_id, origin: 'source', source_refs, artifact_refs: [] }),
      post('/v1/skill/generate', { scope_id, origin: 'usage', source_refs, artifact_refs: [target], target }),
    ];
  },
  get_experience: ({ scope_id, experience_id: artifact_id }) => [
    post('/v1/experience/get', { scope_id, artifact: { family: 'experience', artifact_id, revision: 1 } }),
  ],
  list_artifact_candidates: ({ scope_id, candidatesCursor: cursor }) => [
    post('/v1/artifact-candidates/list', { scope_id }),
    post('/v1/artifact-candidates/list', { scope_id, cursor }),
  ],
  get_artifact_candidate: ({ scope_id, candidate_id }) => [
    post('/v1/artifact-candidates/get', { scope_id, candidate_id }),
  ],
  approve_artifact_candidate: (names) => [1, 2].map((version) => decide('approve', names, version)),
  reject_artifact_candidate: (names) =>
    [1, 2].map((version) => decide('reject', names, version, { reason: 'No.' })),
  revise_artifact_candidate: (names) =>
    [1, 2].map((version) => decide('revise', names, version, proposed(names, experience()))),
  list_candidate_inbox: ({ scope_id, child_scope_id, candidate_id, inboxCursor: cursor }) => [
    post('/v1/artifact-candidates/inbox', { selection: { mode: 'all' } }),
    post('/v1/artifact-candidates/inbox', { selection: { mode: 'all' }, candidate_id }),
    post('/v1/artifact-candidates/inbox', { selection: { mode: 'all' }, cursor }),
    post('/v1/artifact-candidates/inbox', { selection: { mode: 'exact', scope_ids: [scope_id] } }),
    post('/v1/artifact-candidates/inbox', { selection: { mode: 'subtree', root_scope_id: child_scope_id } }),
  ],
  get_candidate_package_manifest: ({ scope_id, skill_candidate_id: candidate_id }) => [
    post('/v1/artifact-candidates/package/manifest', { scope_id, candidate_id, version: 1 }),
  ],
  download_candidate_package: ({ scope_id, skill_candidate_id: candidate_id }) => [
    post('/v1/artifact-candidates/package/download', { scope_id, candidate_id, version: 1 }),
  ],
  read_candidate_package_file: ({ scope_id, skill_candidate_id: candidate_id }) => [
    post('/v1/artifact-candidates/package/file', { scope_id, candidate_id, version: 1, path: 'SKILL.md' }),
  ],
  list_candidate_versions: ({ scope_id, candidate_id, versionsCursor: cursor }) => [
    post('/v1/artifact-candidates/versions', { scope_id, candidate_id }),
    post('/v1/artifact-candidates/versions', { scope_id, candidate_id, cursor }),
  ],
} satisfies Partial<Probes>;
