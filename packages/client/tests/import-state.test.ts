import { mkdtemp, rm } from 'node:fs/promises';
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
