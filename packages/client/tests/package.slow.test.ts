import { execFile } from 'node:child_process';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { hasBrowser, startBrowser } from '@continuity/testing/browser';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusal, startScripted } from './scripted-server.ts';
import { installClient } from './support/install-client.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const maxGzippedBytes = 15_000;
const maxArchiveBytes = 1_048_576;

let project: string;
let archive: string;

beforeAll(async () => {
  ({ project, archive } = await installClient());
});

afterAll(() => rm(project, { recursive: true }));

test('the installed package calls a service', async () => {
  const server = await startScripted([{ status: 200, body: { status: 'ok' } }]);
  const program = `
    import { createClient } from '@continuity/client';
    import { checkAnswer } from '@continuity/client/check';
    const client = createClient({ baseUrl: process.argv[1], checkAnswer });
    console.log(JSON.stringify(await client.getLiveness()));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program, server.url], {
    cwd: project,
  });
  await server.stop();
  expect(JSON.parse(stdout)).toEqual({ status: 'ok' });
});

test('spec 70 scenario 33: the archive is small, and names nothing of the workspace', async () => {
  expect((await stat(archive)).size).toBeLessThanOrEqual(maxArchiveBytes);
  const folder = join(project, 'node_modules/@continuity/client');
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  expect(Object.keys(manifest)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(scripts|dependencies|devDependencies)$/)]),
  );
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile())) {
    const text = await readFile(join(file.parentPath, file.name), 'utf8');
    expect(text, file.name).not.toMatch(/"(catalog|workspace):/);
    expect(text, file.name).not.toContain(root);
    if (file.name.endsWith('.d.ts')) expect(text, file.name).not.toMatch(/from '(?!ai')[@\w]/);
  }
  const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: project });
  expect(stdout.trim().split('\n').slice(1)).toEqual([folder]);
});

test('npm pack in the folder of the sources names the command that builds the package', async () => {
  const packed = run('npm', ['pack', '--pack-destination', project], { cwd: join(root, 'packages/client') });
  await expect(packed).rejects.toMatchObject({ stderr: expect.stringContaining('npm run release') });
});

test('the installed command prints what it would set up, from the plugins of the package', async () => {
  const command = join(project, 'node_modules/.bin/continuity');
  const { stdout } = await run(command, ['setup', 'claude-code', '--print']);
  expect(stdout).toContain('claude plugin install continuity@continuity');
  const plugin = join(
    project,
    'node_modules/@continuity/client/plugins/continuity/hooks/continuity-hook.mjs',
  );
  const event = run(process.execPath, [plugin, '--host', 'claude-code'], { timeout: 60_000 });
  event.child.stdin?.end(JSON.stringify({ hook_event_name: 'Other', session_id: 's' }));
  expect((await event).stdout).toBe('');
});

test('the installed command runs', async () => {
  const { stdout } = await run(join(project, 'node_modules/.bin/continuity'), ['token', 'new', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ token_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
});

test('the installed command prints the version of its package', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'packages/client/package.json'), 'utf8'));
  const { stdout } = await run(join(project, 'node_modules/.bin/continuity'), ['--version']);
  expect(stdout).toBe(`${version}\n`);
});

test('the installed command has a Receiver', async () => {
  const status = run(
    join(project, 'node_modules/.bin/continuity'),
    ['receiver', 'status', '--agent', 'codex', '--project', project],
    { env: { ...process.env, NO_COLOR: '1' } },
  );
  await expect(status).rejects.toMatchObject({ code: 5, stderr: expect.stringContaining('is not enrolled') });
});

test('its types check in a strict project', async () => {
  await writeFile(
    join(project, 'use.ts'),
    `import { createClient, ServiceError } from '@continuity/client';
     import { checkAnswer } from '@continuity/client/check';
     import { toStorableText } from '@continuity/client/text';
     const client = createClient({ baseUrl: toStorableText('http://127.0.0.1:8000'), checkAnswer });
     const { hits } = await client.searchMemory({ scope_id: 's', query: 'q' });
     const text: string | undefined = hits[0]?.text;
     for await (const entry of client.each.listMemoryEntries({ scope_id: 's' })) console.log(entry.text, text);
     // @ts-expect-error: the query is required
     await client.searchMemory({ scope_id: 's' }).catch((error: unknown) => {
       if (error instanceof ServiceError && error.is('body_too_large')) console.log(error.details.limit_bytes.toFixed());
     });`,
  );
  const tsc = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
  const options = [
    '--noEmit',
    '--skipLibCheck',
    'false',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom,dom.iterable',
  ];
  await run(process.execPath, [tsc, ...options, '--types', '', 'use.ts'], { cwd: project });
});

test(`the main entry has at most ${maxGzippedBytes} bytes gzipped, and no validator`, async () => {
  const bundle = await rolldown({
    input: join(project, 'node_modules/@continuity/client/dist/index.js'),
    platform: 'browser',
    cwd: project,
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  const [{ code }] = output;
  expect(output).toHaveLength(1);
  expect(code).not.toMatch(/ZodError|node:/);
  expect(gzipSync(code).length).toBeLessThan(maxGzippedBytes);
});

test.skipIf(!(await hasBrowser()))(
  'the installed package calls a service from a page in a browser, without a bundler',
  async () => {
    const hit = { text: 'Deploy on Tuesdays.' };
    const server = await startScripted([
      refusal(503, 'worker_unavailable', { queue: 'memory-flush' }, 0),
      { status: 200, body: { hits: [hit] } },
      refusal(404, 'scope_not_found', { scope_id: 'none' }),
    ]);
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      // The files of the page come from the installed package; the calls go to the server of the same origin.
      const dist = join(project, 'node_modules/@continuity/client/dist');
      await page.route(`${server.url}/page/**`, async (route) => {
        const path = new URL(route.request().url()).pathname.slice('/page/'.length);
        if (path === '') return await route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
        const body = await readFile(join(dist, path), 'utf8');
        return await route.fulfill({ contentType: 'text/javascript', body });
      });
      await page.goto(`${server.url}/page/`);
      const program = `(async () => {
      const { createClient } = await import('/page/index.js');
      const client = createClient({ baseUrl: location.origin, token: 'secret' });
      const { hits } = await client.searchMemory({ scope_id: 's', query: 'q' });
      const refused = await client.getScope({ scope_id: 'none' }).catch(({ code, details }) => ({ code, details }));
      return { hits, refused };
    })()`;
      expect(await page.evaluate(program)).toEqual({
        hits: [hit],
        refused: { code: 'scope_not_found', details: { scope_id: 'none' } },
      });
      expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'POST /v1/memory/search',
        'POST /v1/memory/search',
        'GET /v1/scopes/none',
      ]);
      expect(server.received[0]?.headers.authorization).toBe('Bearer secret');
    } finally {
      await browser.close();
      await server.stop();
    }
  },
);
