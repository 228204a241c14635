import { type JobName, jobCatalog, queueNames } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import type { TenantId } from '@continuity/kernel/database';
import type { JsonValue } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { type ClaimedJob, dispatchJobs, newJob, newKeyedJob, type RunJob } from '@continuity/shared/jobs';
import { describe, expect, it } from 'vitest';

const scope_id = 'project-alpha';
const source_ref = { name: 'content', source_id: 'ci/8841' };
const draft = {
  scope_id,
  objective: 'Fix the build.',
  evidence: [{ kind: 'source', source_ref }],
  max_bytes: 8_000,
};

const report = {
  selection: { mode: 'all' },
  project_id: null,
  locale: null,
  include_evidence_checks: true,
  include_archived: false,
  period: null,
};

const candidate_id = '019a9f40-6c00-7000-8000-000000000001';

const onHost = { scope_id, host_id: 'workstation-1' };
const version = { external_skill_id: 'codex:project:repository/hello', fingerprint: 'a'.repeat(64) };

const generation = {
  scope_id,
  source_refs: [source_ref],
  artifact_refs: [],
  target: null,
  reason: null,
  candidate_id,
  actor: null,
};

/** Payloads as release 0.1.0 wrote them. A row that it left behind must still run. */
const earlierPayloads = {
  flush_memory: [{ scope_id }],
  embed_memory: [{ scope_id, profile_key: 1 }],
  prepare_handoff: [draft],
  activate_handoff: [{ ...draft, boundary_source: source_ref }],
  get_handoff_report: [{ ...report, format: 'json' }],
  view_handoff_report: [report],
  generate_experience: [generation],
  incubate_experience: [{ scope_id }],
  generate_skill: [{ ...generation, origin: 'source' }],
  scan_external_skills: [onHost],
  list_external_skills: [{ ...onHost, include_unavailable: false }],
  resolve_external_skill: [{ ...onHost, ...version }],
  import_external_skill: [{ ...onHost, ...version, mode: 'import', reason: null, candidate_id, actor: null }],
  reconcile_remote_skills: [
    {
      scope_id,
      target_id: 'codex-3f9a1c22b7de',
      observations: [],
      receiver_version: '1.0.0',
      environment_fingerprint: null,
    },
  ],
} satisfies Record<JobName, JsonValue[]>;

/** Handlers that keep the payloads that they get. */
function recordPayloads(): { run: RunJob; received: unknown[] } {
  const received: unknown[] = [];
  const record = async (_job: unknown, payload: unknown) => {
    received.push(payload);
  };
  const run = dispatchJobs({
    flush_memory: record,
    embed_memory: record,
    prepare_handoff: record,
    activate_handoff: record,
    get_handoff_report: record,
    view_handoff_report: record,
    generate_experience: record,
    incubate_experience: record,
    generate_skill: record,
    scan_external_skills: record,
    list_external_skills: record,
    resolve_external_skill: record,
    import_external_skill: record,
    reconcile_remote_skills: record,
  });
  return { run, received };
}

const context = { signal: new AbortController().signal, progress: async () => {} };

function claimed(operation: string, request: JsonValue): ClaimedJob {
  const place = {
    tenantId: 1 as TenantId,
    jobId: newId(),
    queue: 'memory-flush',
    hostId: null,
    scopeId: scope_id,
    group: 'g',
  } as const;
  return { ...place, operation, background: false, request, workKey: null, trace: null, attempt: 1 };
}

describe('the job catalog', () => {
  it('has a job for each queued operation', () => {
    const queued = operations.filter(({ run }) => run === 'job').map(({ id }) => id);
    expect(queued).toEqual(expect.arrayContaining(['flush_memory', 'prepare_handoff', 'activate_handoff']));
    expect(queued.filter((id) => !Object.hasOwn(jobCatalog, id))).toEqual([]);
  });

  it('names each queue once', () => {
    expect(new Set(queueNames).size).toBe(queueNames.length);
    expect(new Set(Object.values(jobCatalog).map(({ queue }) => queue))).toEqual(new Set(queueNames));
  });

  it.each(Object.entries(earlierPayloads))(
    'runs %s as an earlier release enqueued it',
    async (name, payloads) => {
      const { run, received } = recordPayloads();
      for (const payload of payloads) await run(claimed(name, payload), context);
      expect(received).toEqual(payloads);
    },
  );

  it('ignores an unknown field, and rejects a payload without a required field', async () => {
    const { run, received } = recordPayloads();
    await run(claimed('flush_memory', { scope_id, mode: 'new' }), context);
    expect(received).toEqual([{ scope_id }]);
    await expect(run(claimed('flush_memory', {}), context)).rejects.toThrow();
    await expect(run(claimed('a_newer_job', { scope_id }), context)).rejects.toThrow('a_newer_job');
  });

  it('groups jobs by Scope, by payload or by the key of their work', () => {
    const place = { tenantId: 1 as TenantId, scopeId: scope_id };
    const flush = newJob('flush_memory', { ...place, payload: { scope_id } });
    expect(flush).toMatchObject({
      queue: 'memory-flush',
      group: 'flush_memory:project-alpha',
      workKey: null,
      coalesces: 'abandoned',
    });
    const evidence = [{ kind: 'source' as const, source_ref }];
    const one = newJob('prepare_handoff', { ...place, payload: { ...draft, evidence } });
    const other = newJob('prepare_handoff', { ...place, payload: { ...draft, evidence, max_bytes: 9_000 } });
    expect(one.coalesces).toBe('until-ended');
    expect(one.group).not.toBe(other.group);
    const workKey = Buffer.alloc(32, 7);
    const keyed = newKeyedJob('generate_experience', { ...place, workKey, payload: generation });
    const noted = newKeyedJob('generate_experience', {
      ...place,
      workKey,
      payload: { ...generation, reason: 'Another note.' },
    });
    expect(keyed).toMatchObject({ queue: 'candidate-generation', workKey, coalesces: 'until-ended' });
    expect(noted.group).toBe(keyed.group);
  });
});
