import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildRelease } from '../../../scripts/release/build-release.ts';
import { ensureHelm } from '../src/index.ts';
import { findPython } from '../src/python.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'continuity-release-'));
const release = join(folder, 'release');
const helm = await ensureHelm();
const pythons = await Promise.all(
  ['3.9', '3.13'].map(async (version) => ({ version, program: await findPython(version) })),
);

let version: string;

beforeAll(async () => {
  ({ version } = await buildRelease(release, { image: 'none' }));
});

afterAll(() => rmSync(folder, { recursive: true }));

const sumsOf = (target: string) => readFileSync(join(target, 'SHA256SUMS'), 'utf8');

test('spec 70 scenario 32: two releases of one commit have equal sums', async () => {
  const again = join(folder, 'again');
  await buildRelease(again, { image: 'none' });
  expect(sumsOf(again)).toBe(sumsOf(release));
  const names = sumsOf(release)
    .trim()
    .split('\n')
    .map((line) => line.split('  ')[1]);
  expect(names).toEqual([
    `continuity-${version}.tgz`,
    `continuity-client-${version}.tgz`,
    `continuity-plugin-${version}.zip`,
    `continuity_client-${version}-py3-none-any.whl`,
    `continuity_client-${version}.tar.gz`,
    'server.json',
  ]);
});

test('the entry of the MCP registry has the name and the version of the npm package', async () => {
  const project = join(folder, 'unpacked');
  mkdirSync(project);
  await run('tar', ['xzf', join(release, `continuity-client-${version}.tgz`)], { cwd: project });
  const manifest = JSON.parse(readFileSync(join(project, 'package/package.json'), 'utf8'));
  const server = JSON.parse(readFileSync(join(release, 'server.json'), 'utf8'));
  expect(server).toMatchObject({
    name: manifest.mcpName,
    version: manifest.version,
    packages: [{ identifier: manifest.name, version: manifest.version, transport: { type: 'stdio' } }],
    remotes: [{ type: 'streamable-http' }],
  });
  expect(server.name).toMatch(/^[\w.-]+\/[\w.-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
});

test.skipIf(helm === undefined)(
  'Helm renders the archive of the chart, with the version as the tag of its image',
  async () => {
    const archive = join(release, `continuity-${version}.tgz`);
    const { stdout } = await run(helm ?? '', ['template', 'demo', archive], { maxBuffer: 16 * 1024 * 1024 });
    expect(stdout).toContain(`image: continuity:${version}\n`);
    await run(helm ?? '', ['lint', '--strict', archive]);
  },
);

test('the archive of the plugins has a hook program that runs', async () => {
  const plugins = readFileSync(join(release, `continuity-plugin-${version}.zip`));
  const target = join(folder, 'continuity-hook.mjs');
  writeFileSync(target, fileInZip(plugins, 'continuity/hooks/continuity-hook.mjs'));
  const hook = run(process.execPath, [target, '--host', 'claude-code'], {
    env: { ...process.env, HOME: folder, CONTINUITY_URL: 'http://127.0.0.1:9' },
  });
  hook.child.stdin?.end(
    JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 's', prompt: 'hi', cwd: folder }),
  );
  expect((await hook).stderr).toContain('127.0.0.1:9');
});

for (const { version: python, program } of pythons) {
  test.skipIf(program === undefined)(
    `Python ${python} installs the wheel and the source archive, and calls a service`,
    async () => {
      const server = createServer((_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.setHeader('x-service-request-id', 'r');
        response.end('{"status":"ok"}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      try {
        const environment = mkdtempSync(join(folder, 'venv-'));
        await run(program ?? '', ['-m', 'venv', environment]);
        const own = join(environment, 'bin', 'python');
        for (const name of [
          `continuity_client-${version}-py3-none-any.whl`,
          `continuity_client-${version}.tar.gz`,
        ]) {
          await run(own, ['-m', 'pip', 'install', '--quiet', '--no-compile', join(release, name)]);
          const code = `
import sys
from continuity_client import Client
with Client(sys.argv[1]) as client:
    print(client.get_liveness({})["status"])`;
          const { stdout } = await run(own, ['-c', code, url], { cwd: folder });
          expect(stdout.trim(), name).toBe('ok');
          // With its dependencies, so that the next archive has to bring them.
          const installed = (await run(own, ['-m', 'pip', 'freeze'])).stdout.match(/^[\w.-]+/gm) ?? [];
          await run(own, ['-m', 'pip', 'uninstall', '--quiet', '--yes', ...installed]);
        }
      } finally {
        server.close();
      }
    },
  );
}

/** The content of a stored or deflated file, by the local header with its name. */
function fileInZip(archive: Buffer, name: string): Buffer {
  for (let at = 0; archive.readUInt32LE(at) === 0x04034b50; ) {
    const [size, nameLength, extraLength] = [
      archive.readUInt32LE(at + 18),
      archive.readUInt16LE(at + 26),
      archive.readUInt16LE(at + 28),
    ];
    const start = at + 30 + nameLength + extraLength;
    const bytes = archive.subarray(start, start + size);
    if (archive.toString('utf8', at + 30, at + 30 + nameLength) === name)
      return archive.readUInt16LE(at + 8) === 8 ? inflateRawSync(bytes) : bytes;
    at = start + size;
  }
  throw new Error(`There is no ${name}.`);
}
