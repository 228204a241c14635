import { type Issue, jsonObject, text } from '@continuity/contract';
import type { SourceObservation } from '@continuity/contract/connectors';
import { type JsonObject, type JsonValue, joinPath, tooManyBytes } from '@continuity/kernel/json';
import { z } from 'zod';
import { maxContentBytes, textEvidence } from '../../sources/bodies/index.ts';
import { projectionId } from './keys.ts';
import { findRepeatedKeys } from './manifest-rules.ts';

/** Fields that the payload repeats (spec 10 §9). */
const repeated = ['name', 'definition_version', 'materialization', 'description'] as const;

/** The parts of an observation as canonical JSON; null for a part over its limit. */
interface WrittenParts {
  payload: string | null;
  /** Of the projections, in the order of the request. */
  values: (string | null)[];
}

/** Finds the issues of an observation that do not depend on its definition. */
export function findEnvelopeIssues(observation: SourceObservation, written: WrittenParts): Issue[] {
  const payload = observation.payload as JsonObject;
  const differing = repeated.filter((field) => fieldOf(payload, field) !== (observation[field] ?? null));
  return [
    ...findSizeIssues('observation.payload', written.payload),
    ...differing.map((field) => ({
      path: `observation.payload.${field}`,
      message: `must equal observation.${field}`,
    })),
    ...findRepeatedKeys('observation', observation.projections),
    ...observation.projections.flatMap(({ key, value }, index) => {
      const path = `observation.projections[${index}].value`;
      const isText = projectionId(key) === projectionId(textEvidence);
      return [
        ...findSizeIssues(path, written.values[index] ?? null),
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

function findSizeIssues(path: string, canonical: string | null): Issue[] {
  return canonical === null ? [tooManyBytes(path, maxContentBytes)] : [];
}
