import type { ArtifactRef } from '@continuity/contract';
import type {
  RemoteSkillAction,
  RemoteSkillObservation,
  RemoteSkillPublication,
} from '@continuity/contract/remote-skills';
import type { AgentKind } from '@continuity/contract/skill-format';
import type { Client } from '@continuity/testing';

/** An enrolled target. */
export interface Enrolled {
  target_id: string;
  credential: string;
}

type ReceiptFields = Partial<{
  operation: 'install' | 'unpublish';
  generation: number;
  artifact: ArtifactRef;
  expected_tree_digest: string;
  observed_tree_digest: string | null;
  outcome: 'succeeded' | 'failed';
  failure_state: 'delivery_failed' | 'conflict' | 'drifted' | 'incompatible' | null;
  error_code: string | null;
  receiver_version: string;
  environment_fingerprint: string | null;
}>;

export const receiverVersion = '1.0.0';

/** The header of a credential. */
export const bearing = (credential: string) => ({ authorization: `Bearer ${credential}` });

/** Short calls of the operations on remote targets. */
export function remoteCalls(client: Client) {
  const calls = {
    create: (scope_id: string, agent_kind: AgentKind = 'codex', display_name = 'build machine') =>
      client.call('create_remote_skill_target', { body: { scope_id, agent_kind, display_name } }),
    enroll: (enrollment_code: string, installation_id: string = crypto.randomUUID()) =>
      client.call('enroll_remote_skill_target', {
        body: { enrollment_code, installation_id, receiver_version: receiverVersion },
      }),
    /** Creates and enrolls a target. */
    enrolled: (scope_id: string, agent_kind: AgentKind = 'codex') =>
      calls.enrolledBy(client, scope_id, agent_kind),
    /** As `enrolled`, if the Receiver has a client of its own. */
    enrolledBy: async (
      receiver: Client,
      scope_id: string,
      agent_kind: AgentKind = 'codex',
    ): Promise<Enrolled> => {
      const { body } = await calls.create(scope_id, agent_kind);
      const enrolled = await remoteCalls(receiver).enroll(body.enrollment_code);
      return { target_id: body.target.target_id, credential: enrolled.body.credential };
    },
    rename: (scope_id: string, target_id: string, display_name: string, expected_generation: number) =>
      client.call('rename_remote_skill_target', {
        body: { scope_id, target_id, display_name, expected_generation },
      }),
    revoke: (scope_id: string, target_id: string, expected_generation = 1) =>
      client.call('revoke_remote_skill_target', { body: { scope_id, target_id, expected_generation } }),
    list: async (scope_id: string, more: { target_id?: string; limit?: number } = {}) =>
      (await client.call('list_remote_skill_targets', { body: { scope_id, ...more } })).body.targets,
    /** One target with its publications. */
    target: async (scope_id: string, target_id: string) => {
      const [listed] = await calls.list(scope_id, { target_id });
      if (listed === undefined) throw new Error('The target is not listed.');
      return listed;
    },
    /** The publication of one Skill at a target. */
    publication: async (
      scope_id: string,
      target_id: string,
      { artifact_id }: Pick<ArtifactRef, 'artifact_id'>,
    ): Promise<RemoteSkillPublication> => {
      const { publications } = await calls.target(scope_id, target_id);
      const publication = publications.find((one) => one.artifact_id === artifact_id);
      if (publication === undefined) throw new Error('The publication is not listed.');
      return publication;
    },
    publish: (
      scope_id: string,
      target_id: string,
      artifact: ArtifactRef,
      expected_generation: number | null = null,
      more: { allow_deprecated?: boolean } = {},
    ) =>
      client.call('publish_remote_skill', {
        body: { scope_id, target_id, artifact, expected_generation, ...more },
      }),
    unpublish: (
      scope_id: string,
      target_id: string,
      { artifact_id }: Pick<ArtifactRef, 'artifact_id'>,
      expected_generation: number,
    ) =>
      client.call('unpublish_remote_skill', {
        body: { scope_id, target_id, artifact_id, expected_generation },
      }),
    reconcile: (credential: string, observations: RemoteSkillObservation[] = []) =>
      client.call('reconcile_remote_skills', {
        headers: bearing(credential),
        body: { observations, receiver_version: receiverVersion },
      }),
    /** The actions of a reconcile. */
    actions: async (credential: string, observations: RemoteSkillObservation[] = []) =>
      (await calls.reconcile(credential, observations)).body.actions,
    /** The one action of a reconcile. */
    action: async (credential: string, observations: RemoteSkillObservation[] = []) => {
      const [action, ...others] = await calls.actions(credential, observations);
      if (action === undefined || others.length > 0)
        throw new Error('The service gave not exactly one action.');
      return action;
    },
    download: (credential: string, { generation, artifact, package: ref }: RemoteSkillAction) => {
      if (ref === null) throw new Error('The action has no package.');
      return client.call('download_remote_skill_package', {
        headers: bearing(credential),
        body: { generation, artifact, package: ref },
      });
    },
    /** Sends the receipt of a successful action, with some fields replaced. */
    receipt: (credential: string, action: RemoteSkillAction, fields: ReceiptFields = {}) =>
      client.call('record_remote_skill_receipt', {
        headers: bearing(credential),
        body: { ...receiptOf(action), ...fields },
      }),
    /** Reconciles, and reports that the one action has succeeded. Returns the next observation of the Receiver. */
    applied: async (credential: string, observations: RemoteSkillObservation[] = []) => {
      const action = await calls.action(credential, observations);
      await calls.receipt(credential, action);
      return observationOf(action);
    },
  };
  return calls;
}

export function receiptOf({ operation, generation, artifact, tree_digest }: RemoteSkillAction) {
  return {
    operation,
    generation,
    artifact,
    expected_tree_digest: tree_digest,
    observed_tree_digest: operation === 'install' ? tree_digest : null,
    outcome: 'succeeded' as const,
    failure_state: null,
    error_code: null,
    receiver_version: receiverVersion,
    environment_fingerprint: null,
  };
}

/** A failed receipt with this state. */
export const failed = (failure_state: 'delivery_failed' | 'conflict' | 'drifted' | 'incompatible') => ({
  outcome: 'failed' as const,
  failure_state,
  error_code: `local_${failure_state}`,
  observed_tree_digest: null,
});

/** The observation of a Receiver after an install action. */
export function observationOf({
  artifact,
  tree_digest,
  skill_name,
  generation,
}: RemoteSkillAction): RemoteSkillObservation {
  return {
    artifact,
    tree_digest,
    actual_tree_digest: tree_digest,
    skill_name,
    applied_generation: generation,
  };
}
