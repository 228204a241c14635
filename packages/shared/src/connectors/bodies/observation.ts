import { type Issue, jsonObject, type OperationInput, text } from '@continuity/contract';
import type { connectorOperations, SourceObservation } from '@continuity/contract/connectors';
import { requireNoIssues } from '@continuity/kernel/errors';
import {
  canonicalJsonWithin,
  digestHex,
  hashHex,
  type JsonObject,
  type JsonValue,
  joinPath,
} from '@continuity/kernel/json';
import { compareCodePoints } from '@continuity/kernel/text';
import { z } from 'zod';
import { maxContentBytes, textEvidence, type WrittenContent } from '../../sources/bodies/index.ts';
import { type ProjectionKey, projectionId } from '../definition.ts';
import { findRepeatedKeys } from './manifest.ts';

/** Fields that the payload repeats (spec 10 §9). */
const repeated = ['name', 'definition_version', 'materialization', 'description'] as const;

/** A part of an observation as canonical JSON, or the issue of its size. */
type WrittenPart = ReturnType<typeof canonicalJsonWithin>;

/** The parts of an observation: the values of its projections in the order of the request. */
interface WrittenParts {
  payload: WrittenPart;
  values: WrittenPart[];
}

/** Finds the issues of an observation that do not depend on its definition. */
export function findEnvelopeIssues(observation: SourceObservation, written: WrittenParts): Issue[] {
  const payload = observation.payload as JsonObject;
  const differing = repeated.filter((field) => fieldOf(payload, field) !== (observation[field] ?? null));
  return [
    ...written.payload.issues,
    ...differing.map((field) => ({
      path: `observation.payload.${field}`,
      message: `must equal observation.${field}`,
    })),
    ...findRepeatedKeys('observation', observation.projections),
    ...observation.projections.flatMap(({ key, value }, index) => {
      const path = valuePath(index);
      const isText = projectionId(key) === projectionId(textEvidence);
      return [
        ...(written.values[index]?.issues ?? []),
        ...(isText ? findTextIssues(path, value, observation) : []),
      ];
    }),
  ];
}

/** True for an observation that extraction and generation read (spec 10 §9.2.5). */
export function hasTextEvidence({ projections }: SourceObservation): boolean {
  return projections.some(({ key }) => projectionId(key) === projectionId(textEvidence));
}

/** Returns the value of a field; null if it is absent, as only a description can be. */
function fieldOf(payload: JsonObject, field: string): JsonValue {
  return (Object.hasOwn(payload, field) ? payload[field] : null) ?? null;
}

const evidence = z.strictObject({
  source_type: z.string(),
  source_id: z.string(),
  content: text(1, 200_000),
  metadata: jsonObject,
});

function findTextIssues(path: string, value: unknown, { source_type, name }: SourceObservation): Issue[] {
  const { success, data, error } = evidence.safeParse(value);
  if (!success) {
    return error.issues.map((issue) => ({
      path: issue.path.reduce<string>(joinPath, path),
      message: issue.message,
    }));
  }
  const wrong: Issue[] = [];
  if (data.source_type !== source_type) {
    wrong.push({ path: `${path}.source_type`, message: 'must equal observation.source_type' });
  }
  if (data.source_id !== name)
    wrong.push({ path: `${path}.source_id`, message: 'must equal observation.name' });
  return wrong;
}

const valuePath = (index: number): string => `observation.projections[${index}].value`;

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
    payload: write('observation.payload', observation.payload),
    values: observation.projections.map(({ value }, index) => write(valuePath(index), value)),
  };
  requireNoIssues(findEnvelopeIssues(observation, written));
  // The check above refuses parts over their limit.
  const payload = written.payload.canonical;
  const projections = observation.projections.map(({ key }, index) => ({
    key,
    value: written.values[index]?.canonical ?? '',
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

function write(path: string, part: unknown): WrittenPart {
  return canonicalJsonWithin(path, part as JsonValue, maxContentBytes);
}

/** Digest of the whole observation. Omits the other fields of the envelope, because the payload repeats them. */
function digestOf(version: string, payload: string, projections: WrittenProjection[]): string {
  const sorted = projections
    .map(({ key, value }) => ({ ...key, value }))
    .sort((left, right) => compareCodePoints(projectionId(left), projectionId(right)));
  return digestHex([version, payload, sorted]);
}
