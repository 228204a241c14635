import type { ArtifactRef } from '@continuity/contract/notation';
import type { PackageDownload, SkillPackageRef } from '@continuity/contract/skills';
import { packageDownload } from '@continuity/contract/skills';
import type { AgentKind } from '@continuity/skill-packages/export';
import { z } from 'zod';
import { call, signalOf } from '../call.ts';
import { ServiceError, UnexpectedAnswerError } from '../errors.ts';
import type { ClientOperation } from '../operation.ts';
import { StaleActionError } from './errors.ts';
import { environmentFingerprintOf, receiverVersion } from './machine.ts';
import { type Action, action, type Observation, targetId } from './messages.ts';
import { clientOptionsOf, type ServiceAddress } from './transport.ts';

/** How an action ended, for its receipt. */
export interface Receipt {
  action: Action;
  /** Digest of the installed package; null after a removal or a failure. */
  observed: string | null;
  failure: { state: string; code: string } | null;
}

/** The operations that a Receiver needs. Each throws the errors of the client, `ServiceError` with the status 401 after a revocation. */
export interface Service {
  reconcile(observations: readonly Observation[]): Promise<{ target_id: string; actions: Action[] }>;
  /** Throws `StaleActionError` if the package is no longer what this target shall have. */
  download(request: {
    generation: number;
    artifact: ArtifactRef;
    package: SkillPackageRef;
  }): Promise<PackageDownload>;
  /** Throws `StaleActionError` if the service has decided anew meanwhile. */
  sendReceipt(receipt: Receipt): Promise<void>;
}

interface ServiceOptions extends ServiceAddress {
  agent: AgentKind;
  credential: string;
  /** Ends calls when it aborts. */
  signal?: AbortSignal;
}

/** Connects to the service with the credential of a target. Validates each answer against the contract. */
export function connectService({ agent, credential, signal, ...address }: ServiceOptions): Service {
  const client = clientOptionsOf(address, credential);
  const identity = {
    receiver_version: receiverVersion,
    environment_fingerprint: environmentFingerprintOf(agent),
  };
  const post = async <Answer>(
    operation: ClientOperation,
    shape: z.ZodType<Answer>,
    body: Record<string, unknown>,
  ): Promise<Answer> => {
    const options = signal === undefined ? {} : { signal };
    const answer = shape.safeParse(await call(client, operation, body, options, signalOf(client, options)));
    if (answer.success) return answer.data;
    throw new UnexpectedAnswerError(200);
  };
  return {
    reconcile: (observations) => post(reconcile, reconciled, { observations, ...identity }),
    download: (request) => post(download, packageDownload, request).catch(refuseStale),
    async sendReceipt({ action, observed, failure }) {
      const { operation, generation, artifact, tree_digest } = action;
      const body = {
        operation,
        generation,
        artifact,
        expected_tree_digest: tree_digest,
        observed_tree_digest: observed,
        outcome: failure === null ? 'succeeded' : 'failed',
        failure_state: failure?.state ?? null,
        error_code: failure?.code ?? null,
        ...identity,
      };
      const { stale } = await post(receipt, received, body).catch(refuseStale);
      if (stale) throw new StaleActionError('The receipt is of an older decision.');
    },
  };
}

function refuseStale(error: unknown): never {
  if (error instanceof ServiceError && (error.status === 404 || error.status === 409)) {
    throw new StaleActionError(error.message, { cause: error });
  }
  throw error;
}

const shared = { method: 'POST', repeat: 'safe' } as const;
const reconcile = { ...shared, id: 'reconcile_remote_skills', path: '/v1/skill/remote/reconcile' } as const;
const download = {
  ...shared,
  id: 'download_remote_skill_package',
  path: '/v1/skill/remote/package/download',
} as const;
const receipt = { ...shared, id: 'record_remote_skill_receipt', path: '/v1/skill/remote/receipt' } as const;

const reconciled = z.object({ target_id: targetId, actions: z.array(action).max(256) });
const received = z.object({ stale: z.boolean() });
