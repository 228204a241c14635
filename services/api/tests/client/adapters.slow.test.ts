import { afterAll, beforeAll, expect, test } from 'vitest';
import { frameworkPythons, runPython } from '../support/frameworks.ts';
import { startService, type TestService } from '../support/service.ts';
import { startWordModel } from '../support/word-model.ts';

const pythons = await frameworkPythons();
const python = pythons?.mcp1 ?? '';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.stop());

test.skipIf(pythons === undefined)(
  'spec 70 scenario 34: a store of LangGraph keeps its items as entries',
  async () => {
    expect(await runPython(python, 'adapters.py', 'store', service.url)).toEqual({
      first: { likes: 'pizza', stars: 3 },
      second: { likes: 'pasta', stars: 4 },
      times: true,
      long: { likes: 'long keys', stars: 5 },
      missing: [null, null, null],
      back: { likes: 'tea' },
      all: ['back', 'food', 'food', 'kkkk'],
      starred: [{ likes: 'pasta', stars: 4 }],
      asked: ['soup'],
      namespaces: [
        ['users', 'a/b'],
        ['users', 'c'],
      ],
      async: { likes: 'soup', stars: 1 },
      refused: ['NotImplementedError', 'ValueError'],
    });
    const listed = await fetch(`${service.url}/v1/memory/entries/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scope_id: 'notes:users/a%2Fb', kind: 'lg:food' }),
    });
    expect(await listed.json()).toMatchObject({
      entries: [{ kind: 'lg:food', text: '{"key":"food","value":{"likes":"pasta","stars":4}}' }],
    });
  },
);

test.skipIf(pythons === undefined)(
  'spec 70 scenario 34: two processes put one key of a store: one item, of the last write',
  async () => {
    const writers = ['one', 'two'].map((name) => runPython(python, 'adapters.py', 'race', service.url, name));
    await Promise.all(writers);
    const items = await runPython(python, 'adapters.py', 'race_result', service.url);
    expect(items).toEqual([{ by: expect.stringMatching(/one|two/), number: 9 }]);
  },
);

test.skipIf(pythons === undefined)(
  'spec 70 scenario 34: a session of OpenAI Agents has 200 items, pop and clear, and goes on elsewhere',
  async () => {
    expect(await runPython(python, 'adapters.py', 'session', service.url)).toEqual({
      empty: [[], null],
      popped: { role: 'assistant', content: 'Answer 99' },
      count: 204,
      first: { role: 'user', content: 'Question 0\uFFFD' },
      latest: [
        { role: 'user', content: 'same' },
        { role: 'user', content: 'same' },
      ],
      pops: 4,
      left: 200,
      cleared: [],
    });
  },
);

test.skipIf(pythons === undefined)('a run of OpenAI Agents continues its session', async () => {
  const model = await startWordModel();
  try {
    const roles = await runPython(python, 'adapters.py', 'runner', service.url, model.url);
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant']);
  } finally {
    model.stop();
  }
});
