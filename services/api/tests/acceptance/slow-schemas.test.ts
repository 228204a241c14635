import type { JsonObject } from '@continuity/shared/kernel';
import { afterAll, expect, test } from 'vitest';
import { manifest, observation, register, registered, submit } from '../support/connectors.ts';
import { expectIssues, freshScope, race } from '../support/memory.ts';
import { startService } from '../support/service.ts';
import { clientOf, writeTokens } from '../support/tenants.ts';

const service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('a', 'b') } });
const a = clientOf(service.url, 'a');
const b = clientOf(service.url, 'b');

afterAll(() => service.stop());

/** Small, valid, and looked at 2^40 times for each value. */
function explosive(): JsonObject {
  const steps = Array.from({ length: 40 }, (_, index) => {
    const next = { $ref: `#/$defs/step${index + 1}` };
    return [`step${index}`, { allOf: [next, next] }];
  });
  return { $ref: '#/$defs/step0', $defs: { ...Object.fromEntries(steps), step40: true } };
}

test('spec 10 §11.8: an evaluation that takes long is 422, and neither others nor other tenants wait for it', async () => {
  const slow = await registered(a, { source_schema: explosive() });
  const quick = await registered(b);
  const scope = freshScope();
  const answered: string[] = [];
  const note = <T>(name: string, reply: Promise<T>) => reply.finally(() => answered.push(name));
  const replies = race(3, (index) => note('slow', submit(a, scope, observation(slow, `slow ${index}`))));
  const others = await Promise.all([
    note('quick', submit(b, scope, observation(quick, 'quick'))),
    note('live', service.call('get_liveness')),
    note('scopes', a.call('list_scopes')),
  ]);
  expect(others.map(({ status }) => status)).toEqual([202, 200, 200]);
  // They came while evaluations were under way that take a second each, few of them at a time.
  expect(answered.filter((name) => name === 'slow').length).toBeLessThan(3);
  for (const reply of await replies) expectIssues(reply, ['observation']);
  expect((await submit(a, scope, observation(await registered(a), 'after'))).status).toBe(202);
});

test('spec 10 §11.8: what leads too deep is 422', async () => {
  const chain = Array.from({ length: 2000 }, (_, index) => [`s${index}`, { $ref: `#/$defs/s${index + 1}` }]);
  const source_schema = {
    $ref: '#/$defs/s0',
    $defs: { ...Object.fromEntries(chain), s2000: { additionalProperties: { $ref: '#' } } },
  };
  const made = manifest({ source_schema });
  expect((await register(a, made)).status).toBe(200);
  const deep = JSON.parse(`${'{"a":'.repeat(50)}null${'}'.repeat(50)}`) as JsonObject;
  const reply = await submit(a, freshScope(), observation(made, 'deep', 'x', { deep }));
  expectIssues(reply, ['observation']);
});
