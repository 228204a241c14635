import { createHash } from 'node:crypto';
import { arch, hostname, platform } from 'node:os';
import { basename } from 'node:path';
import { type RemoteSkillAction, remoteSkillOperations } from '@continuity/contract/remote-skills';
import type { AgentKind } from '@continuity/skill-packages/export';
import type { z } from 'zod';
import { call, signalOf } from '../call.ts';
import { ServiceError, UnexpectedAnswerError } from '../errors.ts';
import { operations } from '../generated/operations.ts';
import type { ClientOperation } from '../operation.ts';
import { packageVersion } from '../request.ts';
import type { CallOptions, ClientOptions, RequestOf, ResponseOf } from '../types.ts';
import { canonicalJson } from './canonical-json.ts';
import { ReceiverError, StaleActionError } from './errors.ts';

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
    receiver_version: packageVersion,
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

/** Limit of an answer, in bytes. */
const maxAnswerBytes = 8_388_608;

/** Address of a service that a code or credential may be sent to. */
export interface ServiceAddress {
  serverUrl: string;
  /** The user allows plain HTTP beyond this machine. */
  allowInsecureHttp: boolean;
}

/**
 * Options of a client that follows no redirect and reads at most 8 MiB of an answer. Throws `ReceiverError` for plain HTTP to another
 * machine, unless the user allows it.
 */
export function clientOptionsOf(
  { serverUrl, allowInsecureHttp }: ServiceAddress,
  credential?: string,
): ClientOptions {
  const { protocol, hostname } = new URL(serverUrl);
  if (protocol !== 'https:' && !isLoopback(hostname) && !allowInsecureHttp) {
    throw new ReceiverError(
      `${serverUrl} is plain HTTP, so others on the network could read the credential. Use https, or pass --insecure-http.`,
    );
  }
  return {
    baseUrl: serverUrl,
    // The watch backs off between syncs.
    maxAttempts: 1,
    fetch: fetchBounded,
    ...(credential !== undefined && { token: credential }),
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

async function fetchBounded(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(input, { ...init, redirect: 'manual' });
  if (body === null) return new Response(null, { status, statusText, headers });
  let length = 0;
  const bounded = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.byteLength;
        if (length > maxAnswerBytes)
          controller.error(new Error(`The answer has more than ${maxAnswerBytes} bytes.`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded, { status, statusText, headers });
}

/** Digest of agent, operating system and architecture. Contains no secret and no path. */
export function environmentFingerprintOf(agent: AgentKind): string {
  const environment = {
    agent_kind: agent,
    installation_scope: 'project',
    operating_system: platform(),
    architecture: arch(),
  };
  return createHash('sha256').update(canonicalJson(environment)).digest('hex');
}

/** Names of machine and workspace, for people. Null for a name that the contract does not allow. */
export function namesOf(workspace: string): {
  machine_hostname: string | null;
  workspace_name: string | null;
} {
  return { machine_hostname: toLabel(hostname(), 255), workspace_name: toLabel(basename(workspace), 128) };
}

function toLabel(name: string, maxLength: number): string | null {
  const isLabel = name.trim() !== '' && [...name].length <= maxLength && !/[/\\\p{Cc}]/u.test(name);
  return isLabel ? name : null;
}
