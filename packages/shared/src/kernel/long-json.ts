import { type JsonAnswer, jsonAnswer } from './handler.ts';
import { runInSlices, type Steps } from './slices.ts';

/** Arrays and objects down to this level are written item by item. */
const steppedLevels = 3;

/** As `JSON.stringify` of JSON data, in steps: 10 MB take 100 ms. */
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

/** An answer that can have megabytes. Writes its JSON in slices, so that other requests go on. */
export async function longAnswer(body: object, headers: Record<string, string> = {}): Promise<JsonAnswer> {
  const answer = jsonAnswer(await runInSlices(jsonSteps(body)));
  return { body: answer.body, headers: { ...headers, ...answer.headers } };
}

/** A page whose items are JSON texts of up to hundreds of kilobytes. Takes and encodes one item in each step. */
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
