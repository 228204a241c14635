import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureNpmPackages } from '@continuity/testing/npm-packages';
import { ensureVenv, findPython, keepBytecode } from '@continuity/testing/python';

const execute = promisify(execFile);

const folder = fileURLToPath(new URL('../mcp/frameworks/', import.meta.url));
const pythonClient = fileURLToPath(new URL('../../../../clients/python/src', import.meta.url));

/** The Python that the pinned versions of the frameworks were chosen with. */
const pythonVersion = '3.11';

const npmPackages = [
  '@ai-sdk/mcp@2.0.99',
  '@ai-sdk/openai-compatible@3.0.92',
  '@google/genai@3.3.0',
  '@modelcontextprotocol/sdk@1.30.0',
  '@openai/agents@0.20.0',
  'ai@7.0.173',
];

/**
 * The Pythons with the agent frameworks, by the major version of `mcp` that these need, with the Python client; undefined without
 * Python. Pip installs them once, in a minute.
 */
export async function frameworkPythons(): Promise<{ mcp1: string; mcp2: string } | undefined> {
  const python = await findPython(pythonVersion);
  if (python === undefined) return undefined;
  const [mcp1, mcp2] = await Promise.all(
    ['mcp1', 'mcp2'].map(async (name) => {
      const pinned = await readFile(`${folder}requirements-${name}.txt`, 'utf8');
      return await ensureVenv(
        name,
        python,
        pinned.split('\n').filter((line) => /^\w/.test(line)),
      );
    }),
  );
  return mcp1 === undefined || mcp2 === undefined ? undefined : { mcp1, mcp2 };
}

/** Runs a Python program of the folder `frameworks`, and resolves to the JSON on its last line. */
export async function runPython(python: string, program: string, ...args: string[]): Promise<unknown> {
  const env = { ...process.env, ...frameworkEnvironment };
  const { stdout } = await execute(python, [`${folder}${program}`, ...args], { env, maxBuffer });
  return lastLine(stdout);
}

/** Runs a program of the folder `frameworks` beside the npm packages, and resolves to the JSON on its last line. */
export async function runNode(program: string, ...args: string[]): Promise<unknown> {
  const cwd = await ensureNpmPackages('frameworks', npmPackages);
  const code = await readFile(`${folder}${program}`, 'utf8');
  const { stdout } = await execute(process.execPath, ['--input-type=module', '--eval', code, ...args], {
    cwd,
    env: { ...process.env, ...frameworkEnvironment },
    maxBuffer,
  });
  return lastLine(stdout);
}

/** Variables of the programs: they find the Python client, and send nothing of a test to anybody. */
export const frameworkEnvironment = {
  PYTHONPATH: pythonClient,
  ...keepBytecode,
  OPENAI_AGENTS_DISABLE_TRACING: '1',
  OPENAI_API_KEY: 'none',
  LANGSMITH_TRACING: 'false',
};

/** The `node_modules` with the agent frameworks of npm. */
export async function frameworkModules(): Promise<string> {
  return join(await ensureNpmPackages('frameworks', npmPackages), 'node_modules');
}

const maxBuffer = 16 * 1024 * 1024;

function lastLine(output: string): unknown {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}
