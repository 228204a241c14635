import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RemoteSkillAction, RemoteSkillObservation } from '@continuity/contract/remote-skills';
import { openArchive, type SkillPackage } from '@continuity/skill-packages';
import { zip } from '@continuity/testing/zip';

/** A package with a script, whose content tells its revision, and other files. The service may have stored it by older rules for paths. */
export function packageOf(name: string, revision: number, others: readonly string[] = []): SkillPackage {
  return openArchive(
    zip([
      {
        name: 'SKILL.md',
        content: `---\nname: ${name}\ndescription: Revision ${revision}.\n---\n\nRun it.\n`,
      },
      { name: 'scripts/verify.sh', content: `#!/bin/sh\nexit ${revision}\n`, mode: 0o100755 },
      ...others.map((path) => ({ name: path, content: 'x' })),
    ]),
  );
}

interface Row {
  artifactId: string;
  desired: 'published' | 'unpublished';
  generation: number;
  /** Index in `revisions`, counted from one. */
  revision: number;
  revisions: SkillPackage[];
  state: string;
  error: string | null;
}

type Reply = { status: number; body: unknown; headers?: Record<string, string> };

/** Replaces the answer to a request; undefined for the usual one. */
type Override = (path: string, body: Record<string, unknown>) => Reply | string | undefined;

const refuse = (status: number, code: string, details: object = {}): Reply => ({
  status,
  body: { error: { code, message: `${code}.`, details } },
});

/** The Receiver's side of the service, in memory: the reconcile and receipt tables of spec 40 §9 for one target. */
export class FakeService {
  readonly code = 'ske_'.padEnd(47, 'A');
  targetId = 'codex-000000000001';
  credential = credentialOf(1);
  agent = 'codex';
  rows = new Map<string, Row>();
  requests: { path: string; body: Record<string, unknown>; authorization: string | undefined }[] = [];
  override: Override = () => undefined;
  url = '';
  #enrollments = 0;
  readonly #server = createServer(async (request, response) => {
    const reply = this.#answer(request, await bodyOf(request));
    response.setHeader('x-service-request-id', 'request-1');
    if (typeof reply === 'string') response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
    else response.writeHead(reply.status, reply.headers).end(JSON.stringify(reply.body));
  });

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  publish(artifactId: string, skill: SkillPackage): void {
    const row = this.rows.get(artifactId);
    const revisions = [...(row?.revisions ?? []), skill];
    this.rows.set(artifactId, {
      artifactId,
      desired: 'published',
      generation: (row?.generation ?? -1) + 1,
      revision: revisions.length,
      revisions,
      state: 'pending',
      error: null,
    });
  }

  unpublish(artifactId: string): void {
    const row = this.row(artifactId);
    Object.assign(row, {
      desired: 'unpublished',
      generation: row.generation + 1,
      state: 'pending',
      error: null,
    });
  }

  row(artifactId: string): Row {
    const row = this.rows.get(artifactId);
    if (row === undefined) throw new Error(`no publication of ${artifactId}`);
    return row;
  }

  /** State and error of a publication. */
  shown(artifactId: string): [string, string | null] {
    const { state, error } = this.row(artifactId);
    return [state, error];
  }

  paths(): string[] {
    return this.requests.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  }

  #answer(request: IncomingMessage, body: Record<string, unknown>): Reply | string {
    const path = request.url ?? '';
    const { authorization } = request.headers;
    this.requests.push({ path, body, authorization });
    const replaced = this.override(path, body);
    if (replaced !== undefined) return replaced;
    if (path.endsWith('/enroll')) return this.#enroll(body);
    if (authorization !== `Bearer ${this.credential}`) return refuse(401, 'unauthorized');
    if (path.endsWith('/reconcile')) return this.#reconcile(body['observations'] as RemoteSkillObservation[]);
    if (path.endsWith('/download')) return this.#download(body as unknown as RemoteSkillAction);
    return this.#receipt(body);
  }

  #enroll(body: Record<string, unknown>): Reply {
    if (body['enrollment_code'] !== this.code) return refuse(409, 'enrollment_invalid');
    this.#enrollments += 1;
    this.targetId = `codex-00000000000${this.#enrollments}`;
    this.credential = credentialOf(this.#enrollments);
    this.rows.clear();
    const answer = {
      scope_id: 's',
      target_id: this.targetId,
      agent_kind: this.agent,
      credential: this.credential,
    };
    return { status: 200, body: answer };
  }

  #reconcile(observations: RemoteSkillObservation[]): Reply {
    const actions = [...this.rows.values()]
      .toSorted((left, right) => (left.artifactId < right.artifactId ? -1 : 1))
      .flatMap((row) => this.#actionOf(row, observations));
    return { status: 200, body: { scope_id: 's', target_id: this.targetId, actions } };
  }

  #actionOf(row: Row, observations: RemoteSkillObservation[]): RemoteSkillAction[] {
    const seen = observations.find(({ artifact }) => artifact.artifact_id === row.artifactId);
    const action = this.#wanted(row);
    if (seen !== undefined && seen.actual_tree_digest !== seen.tree_digest) {
      Object.assign(row, { state: 'drifted', error: 'drifted' });
      return [{ ...action, blocked_error_code: 'drifted' }];
    }
    const isMatch = seen?.artifact.revision === row.revision;
    if (row.desired === 'published' && isMatch && row.state === 'current') return [];
    if (row.desired === 'unpublished' && seen === undefined && row.state === 'unpublished') return [];
    return [{ ...action, expected_local: seen ?? null }];
  }

  #wanted({ artifactId, desired, generation, revision, revisions }: Row): RemoteSkillAction {
    const skill = revisions[revision - 1];
    if (skill === undefined) throw new Error('no such revision');
    return {
      operation: desired === 'published' ? 'install' : 'unpublish',
      generation,
      artifact: { family: 'skill', artifact_id: artifactId, revision },
      tree_digest: skill.ref.tree_digest,
      skill_name: skill.fields.name,
      package: desired === 'published' ? skill.ref : null,
      expected_local: null,
      blocked_error_code: null,
    };
  }

  #download({ artifact, generation }: RemoteSkillAction): Reply {
    const row = this.rows.get(artifact.artifact_id);
    const skill = row?.revisions[artifact.revision - 1];
    if (row?.generation !== generation || skill === undefined) {
      return refuse(409, 'remote_publication_conflict', { current_generation: row?.generation });
    }
    return { status: 200, body: { package: skill.ref, archive_base64: skill.archive.toString('base64') } };
  }

  #receipt(body: Record<string, unknown>): Reply {
    const { artifact, generation, outcome, operation, failure_state, error_code } =
      body as unknown as RemoteSkillAction &
        Record<'outcome' | 'failure_state' | 'error_code', string | null>;
    const row = this.row(artifact.artifact_id);
    if (generation < row.generation) return { status: 200, body: { accepted: false, stale: true } };
    const succeeded = operation === 'install' ? 'current' : 'unpublished';
    if (outcome === 'succeeded') Object.assign(row, { state: succeeded, error: null });
    else Object.assign(row, { state: failure_state, error: error_code });
    return { status: 200, body: { accepted: true, stale: false } };
  }
}

function credentialOf(number: number): string {
  return `skt_${String(number).padStart(32, '0')}.`.padEnd(80, 'A');
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>;
}
