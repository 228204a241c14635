import { draft, handoffRef, prepared } from '../handoff.ts';
import type { Names } from '../planted.ts';
import { citing, evidenceOf } from './evidence.ts';
import { type Probe, type Probes, post } from './probe.ts';

const outcome = {
  objective: 'Build.',
  status: 'partial',
  summary: 'Half.',
  observations: [{ text: 'Half built.' }],
};

/** A record whose evidence has the name of a Source, and a record without evidence. */
function recordProbes(
  path: string,
  { scope_id, source_id, ...names }: Names,
  field: string,
  record: Record<string, unknown>,
  claims: string,
): Probe[] {
  const verified = [{ text: 'Seen.', basis: 'verified', evidence: evidenceOf({ source_id, ...names }) }];
  return [
    post(path, { scope_id, source_id, [field]: { ...record, [claims]: verified } }),
    post(path, { scope_id, source_id, [field]: record }),
  ];
}

/** Probes of the operations of work records and Handoffs. */
export const workProbes = {
  create_work_contract: (names) =>
    recordProbes(
      '/v1/work/contracts/create',
      names,
      'contract',
      {
        objective: 'Build.',
        in_scope: ['walls'],
        completion_criteria: ['built'],
        facts: [],
      },
      'facts',
    ),
  handoff_current_work: (names) =>
    recordProbes(
      '/v1/work/handoffs/prepare-current',
      names,
      'handoff',
      {
        objective: 'Build.',
        disposition: 'blocked',
        state: [{ text: 'Begun.' }],
      },
      'state',
    ),
  record_task_outcome: (names) => [
    ...recordProbes('/v1/work/outcomes/record', names, 'outcome', outcome, 'observations'),
    post('/v1/work/outcomes/record', {
      scope_id: names.scope_id,
      source_id: 'other',
      outcome: { ...outcome, handoff_receipt_ref: { name: 'content', source_id: names.receipt_id } },
    }),
  ],
  acknowledge_handoff: (names) => {
    const { scope_id, receipt_id } = names;
    const body = { scope_id, source_id: receipt_id, receiver: 'mason', status: 'declined', message: 'No.' };
    return [
      post('/v1/work/handoffs/acknowledge', { ...body, selection: 'exact', revision: handoffRef(1) }),
      post('/v1/work/handoffs/acknowledge', {
        ...body,
        selection: 'prepared',
        prepared: prepared(scope_id, 1, { state: [citing(names)] }),
      }),
    ];
  },
  finalize_handoff: ({ scope_id, ...names }) => [
    post('/v1/handoff/finalize', { scope_id, draft: draft({ state: [citing(names)] }) }),
  ],
  commit_handoff: ({ scope_id, ...names }) =>
    [0, 1].map((base) =>
      post('/v1/handoff/commit', { scope_id, handoff: prepared(scope_id, base, { state: [citing(names)] }) }),
    ),
  continue_handoff: ({ scope_id, ...names }) => [
    post('/v1/handoff/continue', { scope_id, selection: 'latest' }),
    post('/v1/handoff/continue', { scope_id, selection: 'exact', revision: handoffRef(1) }),
    post('/v1/handoff/continue', {
      scope_id,
      selection: 'prepared',
      prepared: prepared(scope_id, 1, { state: [citing(names)] }),
    }),
  ],
  prepare_handoff: ({ scope_id, source_id, citation, artifact_id }) =>
    [
      { kind: 'source', source_ref: { name: 'content', source_id } },
      { kind: 'memory', memory_citation: citation },
      { kind: 'artifact', artifact_ref: { family: 'memory', artifact_id, revision: 1 } },
    ].map((one) =>
      post('/v1/handoff/prepare', { scope_id, objective: 'Climb over the wall.', evidence: [one] }),
    ),
  activate_handoff: ({ scope_id, source_id }) => [
    post('/v1/handoff/activate', {
      scope_id,
      boundary_source: { name: 'content', source_id },
      objective: 'Climb over the wall.',
    }),
  ],
} satisfies Partial<Probes>;
