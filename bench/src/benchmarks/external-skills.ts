import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Benchmark } from '../benchmark.ts';
import { seededRandom } from '../data/random.ts';
import { makeText } from '../data/texts.ts';
import { timeOf } from '../load/time-of.ts';
import { median } from '../report/median.ts';
import { startSeparate } from '../servers/service.ts';
import { createOwnDatabase } from '../servers/stores.ts';

const run = promisify(execFile);

const filesOfPackage = 20;
/** A `SKILL.md`, references and scripts have 3 to 12 KB. */
const fileBytes = 7_500;
const maxRatio = 2;
/** Limit of the bytes that the worker reads, as a multiple of those of the files: it also reads sockets and modules. */
const maxReadShare = 1.1;

export const externalSkills: Benchmark = {
  name: 'external-skills',
  summary: 'scan of 1,000 packages of 20 files, against sha256sum over the same files',
  run: async ({ stores, isQuick, log }) => {
    const database = await createOwnDatabase(stores);
    const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'));
    const packages = isQuick ? 5 : 1_000;
    const rounds = isQuick ? 1 : 7;
    const root = join(folder, 'skills');
    log(`external-skills: ${packages} packages, ${rounds} rounds`);
    const bytes = await writePackages(root, packages);
    const service = await startSeparate({
      databaseUrl: database.url,
      redisUrl: stores.redisUrl,
      environment: { EXTERNAL_SKILLS_FILE: await writeHosts(folder, root) },
    });
    try {
      const [url = ''] = service.urls;
      const [worker] = service.workers;
      const tools: number[] = [];
      const scans: number[] = [];
      const reads: number[] = [];
      // The first round is the warm-up.
      for (let round = 0; round <= rounds; round += 1) {
        const tool = await timeOf(() =>
          run('sh', ['-c', 'find . -type f -exec sha256sum {} +'], { cwd: root, maxBuffer: 2 ** 30 }),
        );
        const before = await worker?.bytesRead();
        const scan = await timeOf(() => scanAll(url, packages));
        const after = await worker?.bytesRead();
        if (round === 0) continue;
        tools.push(tool);
        scans.push(scan);
        if (before != null && after != null) reads.push((after - before) / bytes);
      }
      const [toolMs, scanMs] = [median(tools), median(scans)];
      return {
        throughputs: [],
        findings: [
          {
            name: `scan of ${packages} packages / sha256sum`,
            value: scanMs / toolMs,
            unit: '×',
            bar: { kind: 'at most', limit: maxRatio },
            note: `medians, ${Math.round(scanMs)} ms and ${Math.round(toolMs)} ms for ${(bytes / 1e6).toFixed(0)} MB`,
          },
          ...(reads.length === 0
            ? []
            : [
                {
                  name: 'scan: bytes that the worker reads / bytes of the files',
                  value: Math.max(...reads),
                  unit: '×',
                  bar: { kind: 'at most', limit: maxReadShare } as const,
                },
              ]),
        ],
      };
    } finally {
      await service.stop();
      await rm(folder, { recursive: true });
      await database.drop();
    }
  },
};

/** Writes packages of texts. Returns the bytes of all files. */
async function writePackages(root: string, count: number): Promise<number> {
  const random = seededRandom(40);
  let bytes = 0;
  for (let index = 0; index < count; index += 1) {
    const directory = join(root, `skill-${index}`);
    await mkdir(join(directory, 'references'), { recursive: true });
    for (let file = 0; file < filesOfPackage; file += 1) {
      const text = makeText(random, Math.round(fileBytes * (0.4 + 1.2 * random())));
      const front = `---\nname: skill-${index}\ndescription: ${makeText(random, 200)}\n---\n\n`;
      const path = file === 0 ? 'SKILL.md' : `references/${file}.md`;
      const content = Buffer.from(file === 0 ? front + text : text);
      bytes += content.length;
      await writeFile(join(directory, path), content);
    }
  }
  return bytes;
}

async function writeHosts(folder: string, path: string): Promise<string> {
  const file = join(folder, 'external-skills.json');
  const root = { target_id: 'measured', agent_kind: 'codex', installation_scope: 'user', path };
  await writeFile(file, JSON.stringify({ hosts: [{ host_id: 'bench', roots: [root] }] }));
  return file;
}

async function scanAll(url: string, packages: number): Promise<void> {
  const response = await fetch(`${url}/v1/external-skills/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scope_id: 'external-skills' }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`A scan answered ${response.status}: ${text}`);
  const { registrations } = JSON.parse(text) as { registrations: unknown[] };
  if (registrations.length !== packages) throw new Error(`A scan found ${registrations.length} packages.`);
}
