import type { Issue } from '@continuity/contract';
import { LRUCache } from 'lru-cache';
import type { JsonValue } from '../../kernel/json.ts';
import { type JsonSchema, readSchema, SchemaRefused } from '../../kernel/json-schema/index.ts';
import { serveTasks } from '../../kernel/threads/serve.ts';
import type { NamedJson, SchemaAnswer, SchemaTask } from './tasks.ts';

// A thread of the judge. It has nothing but what it is sent: no database, no settings.

/** What is kept of schemas that were read, in characters of their text; read, they take some twenty times as much. */
const maxKept = 2 * 1024 * 1024;

interface Kept {
  schemas: JsonSchema[];
  size: number;
}

const kept = new LRUCache<string, Kept>({ maxSize: maxKept, sizeCalculation: ({ size }) => size });

serveTasks(async (task: SchemaTask): Promise<SchemaAnswer> => {
  try {
    return await judge(task);
  } catch (error) {
    if (error instanceof SchemaRefused) return error.issues;
    if (error instanceof RangeError) {
      const path = task.values.length === 0 ? 'manifest' : 'observation';
      return [{ path, message: 'leads deeper than can be followed' }];
    }
    throw error;
  }
});

async function judge({ fingerprint, schemas: given, values }: SchemaTask): Promise<SchemaAnswer> {
  const schemas = kept.get(fingerprint)?.schemas ?? (given && (await read(fingerprint, given)));
  if (schemas === null) return null;
  return values.flatMap(({ path, json }, index) => schemas[index]?.issuesOf(parse(json), path) ?? []);
}

/** Throws `SchemaRefused` with the issues of all of them. */
async function read(fingerprint: string, given: NamedJson[]): Promise<JsonSchema[]> {
  const schemas: JsonSchema[] = [];
  const issues: Issue[] = [];
  for (const { path, json } of given) {
    try {
      schemas.push(await readSchema(parse(json), path));
    } catch (error) {
      if (!(error instanceof SchemaRefused)) throw error;
      issues.push(...error.issues);
    }
  }
  if (issues.length > 0) throw new SchemaRefused(issues);
  kept.set(fingerprint, { schemas, size: given.reduce((sum, { json }) => sum + json.length, 0) });
  return schemas;
}

function parse(json: string): JsonValue {
  return JSON.parse(json) as JsonValue;
}
