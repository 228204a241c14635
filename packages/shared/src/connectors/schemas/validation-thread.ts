import type { Issue } from '@continuity/contract';
import type { JsonValue } from '@continuity/kernel/json';
import { defineThread } from '@continuity/kernel/threads';
import { LRUCache } from 'lru-cache';
import { compileSchema, InvalidSchemaError, type Validator } from '../json-schema/index.ts';

/** JSON text, and the path by which issues name it. */
export interface NamedJson {
  path: string;
  json: string;
}

/** Validates values against the schemas of one definition: the first value against the first schema, and so on. */
export interface ValidationTask {
  /** Fingerprint of the definition, the key under which a thread caches its compiled schemas. */
  fingerprint: string;
  schemas: NamedJson[];
  /** Empty where only the schemas are validated. */
  values: NamedJson[];
}

export type ValidationResult = Issue[];

/** Limit of the cached schemas, in characters of their JSON. Compiled, a schema takes up to 100 bytes for each. */
const maxCachedLength = 512 * 1024;

interface Definition {
  validators: Validator[];
  /** Length of the JSON of all schemas. */
  size: number;
}

const definitions = new LRUCache<string, Definition>({
  maxSize: maxCachedLength,
  sizeCalculation: ({ size }) => size,
});

/** A thread of the schema validator. It has no access to the database or to settings. */
export const validationThread = defineThread((task: ValidationTask): ValidationResult => {
  try {
    return validate(task);
  } catch (error) {
    if (error instanceof InvalidSchemaError) return error.issues;
    // The stack overflowed.
    if (error instanceof RangeError) {
      const path = task.values.length === 0 ? 'manifest' : 'observation';
      return [{ path, message: 'is nested too deeply to validate' }];
    }
    throw error;
  }
});

function validate({ fingerprint, schemas, values }: ValidationTask): ValidationResult {
  const { validators } = definitions.get(fingerprint) ?? compile(fingerprint, schemas);
  return values.flatMap(({ path, json }, index) => validators[index]?.validate(parse(json), path) ?? []);
}

/** Throws `InvalidSchemaError` with the issues of all schemas. */
function compile(fingerprint: string, schemas: NamedJson[]): Definition {
  const validators: Validator[] = [];
  const issues: Issue[] = [];
  for (const { path, json } of schemas) {
    try {
      validators.push(compileSchema(parse(json), path));
    } catch (error) {
      if (!(error instanceof InvalidSchemaError)) throw error;
      issues.push(...error.issues);
    }
  }
  if (issues.length > 0) throw new InvalidSchemaError(issues);
  const size = schemas.reduce((sum, { json }) => sum + json.length, 0);
  const definition = { validators, size };
  definitions.set(fingerprint, definition);
  return definition;
}

function parse(json: string): JsonValue {
  return JSON.parse(json) as JsonValue;
}
