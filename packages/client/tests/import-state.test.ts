import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ImportState } from '../src/import/state.ts';

const folder = await mkdtemp(join(tmpdir(), 'continuity-state-'));
const service = { url: 'http://127.0.0.1:9', token: undefined };
const open = () => ImportState.open(service, { XDG_STATE_HOME: folder }, false);

afterAll(() => rm(folder, { recursive: true }));

test.each(['constructor', 'toString', '__proto__'])(
  'a Scope with the id %s has no mark before it gets one',
  (scope) => {
    expect(ImportState.none().markOf(scope)).toBeUndefined();
    const state = open();
    expect(state.markOf(scope)).toBeUndefined();
    state.setMark(scope, 7);
    const later = open();
    expect(later.markOf(scope)).toBe(7);
    later.finish();
    expect(later.markOf(scope)).toBeUndefined();
    expect(open().markOf(scope)).toBeUndefined();
  },
);

test('two imports at once leave a whole state, and a damaged one is an empty one', async () => {
  const [one, other] = [open(), open()];
  for (let count = 0; count < 50; count += 1) {
    one.setMark('a', count);
    other.setMark('b', count);
  }
  expect(open().markOf('b')).toBe(49);
  const stored = join(folder, 'continuity', 'import');
  const [name = ''] = await readdir(stored);
  expect(await readdir(stored)).toEqual([name]);
  await writeFile(join(stored, name), '{"version":1,"marks":{"a":1},"files":null}');
  expect(open().markOf('a')).toBeUndefined();
  expect(open().files).toEqual([]);
});
