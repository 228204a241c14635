import { runInSlices, type Steps } from '@continuity/kernel/fairness';
import { type JsonAnswer, jsonAnswer } from './handler.ts';

/** Arrays and objects down to this level are written item by item. */
const steppedLevels = 3;

/** Serializes JSON data in steps, to the same text as `JSON.stringify`. 10 MB take 100 ms in all. */
export function* jsonSteps(value: unknown, level = 1): Steps<string> {
  if (typeof value !== 'object' || value === null || level > steppedLevels) return JSON.stringify(value);
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      parts.push(yield* jsonSteps(item, level + 1));
      yield;
    }
    return `[${parts.join(',')}]`;
  }
  for (const [key, field] of Object.entries(value)) {
    if (field !== undefined) parts.push(`${JSON.stringify(key)}:${yield* jsonSteps(field, level + 1)}`);
    yield;
  }
  return `{${parts.join(',')}}`;
}

/** Builds an answer of up to megabytes. Serializes it in slices, so that the event loop serves other requests meanwhile. */
export async function longAnswer(body: object, headers: Record<string, string> = {}): Promise<JsonAnswer> {
  const answer = jsonAnswer(await runInSlices(jsonSteps(body)));
  return { body: answer.body, headers: { ...headers, ...answer.headers } };
}

/** Builds a page from items that are JSON texts. Takes and encodes one item in each step, because one can have 100 KB. */
export async function longPage(items: Iterable<string>, rest: Record<string, unknown>): Promise<JsonAnswer> {
  return jsonAnswer(await runInSlices(pageSteps(items, rest)));
}

function* pageSteps(items: Iterable<string>, rest: Record<string, unknown>): Steps<Buffer> {
  const parts: Buffer[] = [];
  for (const item of items) {
    if (parts.length > 0) parts.push(Buffer.from(','));
    parts.push(Buffer.from(item));
    yield;
  }
  return Buffer.concat([
    Buffer.from('{"items":['),
    ...parts,
    Buffer.from(`],${JSON.stringify(rest).slice(1)}`),
  ]);
}
