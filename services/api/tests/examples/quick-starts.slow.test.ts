import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { frameworkEnvironment, frameworkModules, frameworkPythons } from '../support/frameworks.ts';
import { startService, type TestService } from '../support/service.ts';
import { startWordModel } from '../support/word-model.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const pythons = await frameworkPythons();

let service: TestService;
let model: Awaited<ReturnType<typeof startWordModel>>;
let folder: string;

beforeAll(async () => {
  [service, model, folder] = await Promise.all([
    startService(),
    startWordModel(),
    mkdtemp(join(tmpdir(), 'continuity-quick-')),
  ]);
});

afterAll(async () => {
  model.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Writes the program of a page, runs it for each prompt of the page, and resolves to the outputs. */
async function runPage(name: string, program: string, file: string): Promise<string[]> {
  const page = await readFile(join(root, 'docs/quick-starts', `${name}.md`), 'utf8');
  const [, code = ''] = /```(?:js|python)\n([\s\S]*?)```/.exec(page) ?? [];
  const prompts = [...page.matchAll(/^\w+ agent\.\w+ '(.+)'$/gm)].map(([, prompt = '']) => prompt);
  await writeFile(join(folder, file), code);
  const outputs: string[] = [];
  for (const prompt of prompts) {
    const { stdout } = await execute(program, [file, prompt], {
      cwd: folder,
      env: {
        ...process.env,
        ...frameworkEnvironment,
        CONTINUITY_URL: service.url,
        MODEL_URL: model.url,
        MODEL_KEY: 'none',
        MODEL: 'stub',
      },
    });
    outputs.push(stdout);
  }
  return outputs;
}

test('the quick start of the Vercel AI SDK works as it stands', async () => {
  const modules = await frameworkModules();
  await mkdir(join(folder, 'node_modules/@continuity'), { recursive: true });
  await symlink(join(root, 'packages/client'), join(folder, 'node_modules/@continuity/client'));
  for (const name of ['ai', '@ai-sdk'])
    await symlink(join(modules, name), join(folder, 'node_modules', name));
  const [remembered, found] = await runPage('vercel-ai-sdk', process.execPath, 'agent.mjs');
  expect(remembered).toContain('We deploy on Tuesdays.');
  expect(found).toContain('We deploy on Tuesdays.');
});

test.skipIf(pythons === undefined).each(['langgraph', 'openai-agents', 'pydantic-ai'])(
  'the quick start of %s works as it stands',
  async (name) => {
    const [remembered, found] = await runPage(name, pythons?.mcp1 ?? '', 'agent.py');
    expect(remembered).toContain('We deploy on Tuesdays.');
    expect(found).toContain('We deploy on Tuesdays.');
  },
);
