import { type RemoteSkillAction, remoteSkillOperations } from '@continuity/contract/remote-skills';
import type { AgentKind } from '@continuity/skill-packages/export';
import type { z } from 'zod';
import { call, signalOf } from '../call.ts';
import { ServiceError, UnexpectedAnswerError } from '../errors.ts';
import { operations } from '../generated/operations.ts';
import type { ClientOperation } from '../operation.ts';
import type { CallOptions, ClientOptions, RequestOf, ResponseOf } from '../types.ts';
import { StaleActionError } from './errors.ts';
import { environmentFingerprintOf, receiverVersion } from './machine.ts';
import { clientOptionsOf, type ServiceAddress } from './transport.ts';

type Reconcile = 'reconcile_remote_skills';
type Download = 'download_remote_skill_package';
type Receipt = RequestOf<'record_remote_skill_receipt'>;

/** How an action ended, for its receipt. */
export type Outcome =
  | { observed: string | null; failure?: undefined }
  | { failure: { state: NonNullable<Receipt['failure_state']>; code: string } };

/** The operations of a Receiver. Each throws the errors of the client; after a revocation, `ServiceError` with the status 401. */
export interface Service {
  reconcile(observations: RequestOf<Reconcile>['observations']): Promise<ResponseOf<Reconcile>>;
  /** Throws `StaleActionError` if the publication has changed since the service sent the action. */
  download(request: RequestOf<Download>): Promise<ResponseOf<Download>>;
  /** Throws `StaleActionError` as `download` does. */
  sendReceipt(action: RemoteSkillAction, outcome: Outcome): Promise<void>;
}

interface ServiceOptions extends ServiceAddress {
  agent: AgentKind;
  credential: string;
  /** Aborts the calls. */
  signal?: AbortSignal;
}

// Unknown fields of answers are ignored, so that a newer service works. Unknown fields of an action are refused: they could change its
// meaning.
const shapes = {
  enrolled: remoteSkillOperations.enroll_remote_skill_target.response.strip(),
  reconciled: remoteSkillOperations.reconcile_remote_skills.response.strip(),
  downloaded: remoteSkillOperations.download_remote_skill_package.response.strip(),
  received: remoteSkillOperations.record_remote_skill_receipt.response.pick({ stale: true }).strip(),
};

/** Connects to the service with the credential of a target. Validates each answer against the contract. */
export function connectService({ agent, credential, signal, ...address }: ServiceOptions): Service {
  const client = clientOptionsOf(address, credential);
  const options = signal === undefined ? {} : { signal };
  const identity = {
    receiver_version: receiverVersion,
    environment_fingerprint: environmentFingerprintOf(agent),
  };
  return {
    reconcile: (observations) =>
      post(
        client,
        operations.reconcileRemoteSkills,
        shapes.reconciled,
        { observations, ...identity },
        options,
      ),
    download: (request) =>
      post(client, operations.downloadRemoteSkillPackage, shapes.downloaded, request, options).catch(
        refuseStale,
      ),
    async sendReceipt({ operation, generation, artifact, tree_digest }, outcome) {
      const receipt: Receipt = {
        operation,
        generation,
        artifact,
        expected_tree_digest: tree_digest,
        observed_tree_digest: outcome.failure === undefined ? outcome.observed : null,
        outcome: outcome.failure === undefined ? 'succeeded' : 'failed',
        failure_state: outcome.failure?.state ?? null,
        error_code: outcome.failure?.code ?? null,
        ...identity,
      };
      const sent = post(client, operations.recordRemoteSkillReceipt, shapes.received, receipt, options);
      const { stale } = await sent.catch(refuseStale);
      if (stale) throw new StaleActionError('The receipt is of an older decision.');
    },
  };
}

/** Exchanges a one-time code for the credential of its target. Throws the errors of the client. */
export async function redeemCode(
  address: ServiceAddress,
  request: RequestOf<'enroll_remote_skill_target'>,
): Promise<ResponseOf<'enroll_remote_skill_target'>> {
  return await post(
    clientOptionsOf(address),
    operations.enrollRemoteSkillTarget,
    shapes.enrolled,
    request,
    {},
  );
}

async function post<Answer>(
  client: ClientOptions,
  operation: ClientOperation,
  shape: z.ZodType<Answer>,
  request: Record<string, unknown>,
  options: CallOptions,
): Promise<Answer> {
  const answer = shape.safeParse(await call(client, operation, request, options, signalOf(client, options)));
  if (answer.success) return answer.data;
  throw new UnexpectedAnswerError(200);
}

function refuseStale(error: unknown): never {
  if (error instanceof ServiceError && (error.status === 404 || error.status === 409)) {
    throw new StaleActionError(error.message, { cause: error });
  }
  throw error;
}
