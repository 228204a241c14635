import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../src/', import.meta.url));
const entry = 'virtual:contract';

/** One script with every module of the contract. */
async function bundleForBrowser(): Promise<{ code: string; imports: string[] }> {
  const areas = (await readdir(source, { withFileTypes: true })).filter((item) => item.isDirectory());
  const lines = areas.map(
    ({ name }) =>
      `export * as ${name.replaceAll('-', '_')} from ${JSON.stringify(`${source}${name}/index.ts`)};`,
  );
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? lines.join('\n') : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'contract' });
  await bundle.close();
  expect(output).toHaveLength(1);
  const [{ code, imports }] = output;
  return { code, imports };
}

test('the contract runs as one script in a browser, which has no module of Node', async () => {
  const { code, imports } = await bundleForBrowser();
  expect(imports).toEqual([]);

  // No process, no Buffer, no require: what is left are the globals of the language.
  const browser = createContext({ URL });
  const { operations, memory } = new Script(`${code}; contract`).runInContext(browser);
  expect(operations.operations.length).toBeGreaterThan(30);
  const { body } = memory.memoryOperations.search_memory;
  expect(body.safeParse({ scope_id: 'project-alpha', query: 'deploy' }).success).toBe(true);
  expect(body.safeParse({ scope_id: 'project-alpha', query: ' ' }).success).toBe(false);
});
