import type { ArtifactRef, OperationSpec } from '@continuity/contract';
import type { Client } from '@continuity/testing';
import { plantedCredential } from './places.ts';
import { changeRequest, freshScope, type Request, sendExample } from './requests.ts';
import { createDocument } from './skills.ts';

const headerOf = (credential: unknown) => ({ authorization: `Bearer ${String(credential)}` });

/** Creates a target and returns its id and code. */
async function createTarget(client: Client, scope: string, headers: Record<string, string> = {}) {
  const created = await sendExample(client, 'create_remote_skill_target', scope, { headers });
  const { target_id } = created['target'] as { target_id: string };
  return { target_id, enrollment_code: String(created['enrollment_code']) };
}

/** Creates and enrolls a target. */
async function enrollTarget(client: Client, scope: string, headers: Record<string, string> = {}) {
  const { target_id, enrollment_code } = await createTarget(client, scope, headers);
  const { credential } = await sendExample(client, 'enroll_remote_skill_target', scope, {
    body: { enrollment_code, installation_id: scope },
  });
  return { target_id, headers: headerOf(credential) };
}

/** Publishes a new Skill to a new target. */
async function publishFirst(client: Client, scope: string) {
  const { target_id, headers } = await enrollTarget(client, scope);
  const artifact = await createDocument(client, scope, 'skill');
  await sendExample(client, 'publish_remote_skill', scope, { body: { target_id, artifact } });
  return { target_id, headers, artifact, package: await packageOf(client, scope, artifact) };
}

async function packageOf(client: Client, scope: string, artifact: ArtifactRef) {
  const { content } = await sendExample(client, 'get_skill', scope, { body: { artifact } });
  return (content as { package: { tree_digest: string } }).package;
}

type Arrangement = (client: Client, scope: string) => Promise<Partial<Request>>;

const named: Arrangement = async (client, scope) => {
  const { target_id } = await createTarget(client, scope);
  return { body: { target_id, expected_generation: 0 } };
};

export const remoteArrangements = {
  rename_remote_skill_target: named,
  revoke_remote_skill_target: named,
  publish_remote_skill: async (client, scope) => {
    const { target_id } = await enrollTarget(client, scope);
    return { body: { target_id, artifact: await createDocument(client, scope, 'skill') } };
  },
  unpublish_remote_skill: async (client, scope) => {
    const { target_id, artifact } = await publishFirst(client, scope);
    return { body: { target_id, artifact_id: artifact.artifact_id } };
  },
  enroll_remote_skill_target: async (client, scope) => {
    const { enrollment_code } = await createTarget(client, scope);
    return { body: { enrollment_code, installation_id: scope } };
  },
  reconcile_remote_skills: async (client, scope) => ({
    headers: (await enrollTarget(client, scope)).headers,
  }),
  download_remote_skill_package: async (client, scope) => {
    const { headers, artifact, package: ref } = await publishFirst(client, scope);
    return { headers, body: { artifact, package: ref } };
  },
  record_remote_skill_receipt: async (client, scope) => {
    const { headers, artifact, package: ref } = await publishFirst(client, scope);
    const { tree_digest } = ref;
    const body = { artifact, expected_tree_digest: tree_digest, observed_tree_digest: tree_digest };
    return { headers, body };
  },
} satisfies Record<string, Arrangement>;

/** Exhausts the targets of a Scope, or names another generation than the current one. */
export async function targetConflict(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  if (operation.id === 'create_remote_skill_target') {
    await Promise.all(Array.from({ length: 200 }, () => createTarget(client, scope)));
    return {};
  }
  const { target_id } = await createTarget(client, scope);
  if (operation.id === 'publish_remote_skill' || operation.id === 'unpublish_remote_skill') {
    return { body: { target_id } };
  }
  return { body: { target_id, expected_generation: 7 } };
}

/** Names another generation than the current one. */
export async function publicationConflict(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  const { target_id, headers, artifact, package: ref } = await publishFirst(client, scope);
  const { tree_digest } = ref;
  switch (operation.id) {
    case 'publish_remote_skill':
      return { body: { target_id, artifact } };
    case 'unpublish_remote_skill':
      return { body: { target_id, artifact_id: artifact.artifact_id, expected_generation: 7 } };
    case 'download_remote_skill_package':
      return { headers, body: { artifact, package: ref, generation: 7 } };
    default:
      return {
        headers,
        body: {
          artifact,
          expected_tree_digest: tree_digest,
          observed_tree_digest: tree_digest,
          generation: 7,
        },
      };
  }
}

/** A target without the publication that the example names. */
export async function withoutPublication(
  client: Client,
  scope: string,
  operation: OperationSpec,
): Promise<Partial<Request>> {
  const { target_id, headers } = await enrollTarget(client, scope);
  return operation.auth === 'target' ? { headers } : { body: { target_id } };
}

/** A target, and no such Skill. */
export async function withoutSkill(client: Client, scope: string): Promise<Partial<Request>> {
  const { target_id } = await enrollTarget(client, scope);
  return { body: { target_id } };
}

/** A target, and a retired Skill. */
export async function publishRetired(client: Client, scope: string): Promise<Partial<Request>> {
  const { target_id } = await enrollTarget(client, scope);
  const artifact = await createDocument(client, scope, 'skill');
  const { artifact_id } = artifact;
  await sendExample(client, 'update_skill_lifecycle', scope, {
    body: { artifact_id, lifecycle_state: 'retired' },
  });
  return { body: { target_id, artifact } };
}

/** A Skill whose description has markup, which Codex does not load. */
export async function publishMarkup(client: Client, scope: string): Promise<Partial<Request>> {
  const { target_id } = await enrollTarget(client, scope);
  const artifact = await createDocument(client, scope, 'skill', { description: 'Use for <tags>.' });
  return { body: { target_id, artifact } };
}

/** The request of a Receiver with the credential of a new target, unless it has one; with the planted one where none can be had. */
export async function withCredential(
  client: Client,
  operation: OperationSpec,
  request: Request,
): Promise<Request> {
  const { authorization } = request.headers;
  if (operation.auth !== 'target' || authorization?.startsWith('Bearer skt_')) return request;
  const scope = freshScope();
  const { headers } = await enrollTarget(client, scope, authorization ? { authorization } : {}).catch(() => ({
    headers: headerOf(plantedCredential),
  }));
  return changeRequest(request, { headers });
}
