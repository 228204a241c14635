import type { OperationInput } from '@continuity/contract';
import type { connectorOperations, SourceObservation } from '@continuity/contract/connectors';
import { requireNoIssues } from '@continuity/kernel/errors';
import { canonicalJsonWithin, digestHex, hashHex, type JsonValue } from '@continuity/kernel/json';
import { compareCodePoints } from '@continuity/kernel/text';
import { maxContentBytes, type WrittenContent } from '../../sources/bodies/index.ts';
import { findEnvelopeIssues, hasTextEvidence } from './envelope-rules.ts';
import { type ProjectionKey, projectionId } from './keys.ts';

type SubmitBody = OperationInput<typeof connectorOperations.submit_source_observation>['body'];

/** A projection of an observation. */
interface WrittenProjection {
  key: ProjectionKey;
  /** Canonical JSON. */
  value: string;
}

/** An observation, as it is stored. */
export interface PreparedObservation
  extends Pick<SourceObservation, 'name' | 'source_type' | 'definition_version' | 'definition_fingerprint'> {
  payload: WrittenContent;
  /** In the order of the request. */
  projections: WrittenProjection[];
  /** SHA-256 over the whole observation, as 64 hex digits. */
  digest: string;
  /** Whether extraction and generation read it. */
  isEvidence: boolean;
}

/** Prepares the body of `submit_source_observation`. Throws 422 for issues that do not depend on its definition. */
export function prepareObservation({ scope_id, observation }: SubmitBody): {
  scope_id: string;
  observation: PreparedObservation;
} {
  const written = {
    payload: write(observation.payload),
    values: observation.projections.map(({ value }) => write(value)),
  };
  requireNoIssues(findEnvelopeIssues(observation, written));
  // The check above refuses parts over their limit.
  const payload = written.payload ?? '';
  const projections = observation.projections.map(({ key }, index) => ({
    key,
    value: written.values[index] ?? '',
  }));
  const { name, source_type, definition_version, definition_fingerprint } = observation;
  return {
    scope_id,
    observation: {
      name,
      source_type,
      definition_version,
      definition_fingerprint,
      payload: { canonical: payload, digest: hashHex(payload) },
      projections,
      digest: digestOf(definition_version, payload, projections),
      isEvidence: hasTextEvidence(observation),
    },
  };
}

function write(part: unknown): string | null {
  return canonicalJsonWithin(part as JsonValue, maxContentBytes) ?? null;
}

/** Digest of the whole observation. Omits the other fields of the envelope, because the payload repeats them. */
function digestOf(version: string, payload: string, projections: WrittenProjection[]): string {
  const sorted = projections
    .map(({ key, value }) => ({ ...key, value }))
    .sort((left, right) => compareCodePoints(projectionId(left), projectionId(right)));
  return digestHex([version, payload, sorted]);
}
