import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Benchmark } from '../benchmark.ts';
import { type Random, seededRandom } from '../data/random.ts';
import { makeText } from '../data/texts.ts';
import { timeOf } from '../load/time-of.ts';
import { median } from '../report/median.ts';

const run = promisify(execFile);

const files = 256;
const treeBytes = 4_194_304;
const bytesPerMegabyte = 1e6;
const minShare = 1 / 3;

/** Times of one round in ms. */
interface Round {
  tools: number;
  service: number;
}

export const packages: Benchmark = {
  name: 'packages',
  summary: 'upload and download of a package of 256 files and 4 MiB, against zip and sha256sum',
  run: async ({ servers, isQuick, log }) => {
    const database = await servers.createDatabase();
    const service = await servers.startAllInOne({ databaseUrl: database.url });
    const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'));
    try {
      const [url = ''] = service.urls;
      const random = seededRandom(67);
      const rounds: Round[] = [];
      const count = isQuick ? 1 : 9;
      log(`packages: ${count} rounds`);
      // The first round is the warm-up.
      for (let round = 0; round <= count; round += 1) {
        const tree = join(folder, String(round));
        await writeTree(tree, random);
        const tools = await timeOf(() => runTools(tree));
        const archive_base64 = (await readFile(`${tree}.zip`)).toString('base64');
        const taken = await timeOf(() => uploadAndDownload(url, archive_base64));
        if (round > 0) rounds.push({ tools, service: taken });
      }
      const [toolsMs, serviceMs] = [
        median(rounds.map(({ tools }) => tools)),
        median(rounds.map(({ service: ms }) => ms)),
      ];
      const rate = (ms: number) => `${((treeBytes / bytesPerMegabyte / ms) * 1_000).toFixed(1)} MB/s`;
      return {
        throughputs: [],
        findings: [
          {
            name: 'package of 4 MiB: rate of upload and download / zip and sha256sum',
            value: toolsMs / serviceMs,
            unit: '×',
            bar: { kind: 'at least', limit: minShare },
            note: `medians, ${rate(serviceMs)} and ${rate(toolsMs)}`,
          },
        ],
      };
    } finally {
      await rm(folder, { recursive: true });
      await service.stop();
      await database.drop();
    }
  },
};

/** Writes a tree of texts, which differs from every other one. */
async function writeTree(tree: string, random: Random): Promise<void> {
  await mkdir(join(tree, 'references'), { recursive: true });
  const entrypoint = `---\nname: measured\ndescription: A measured package.\n---\n\n${makeText(random, 200)}\n`;
  await writeFile(join(tree, 'SKILL.md'), entrypoint);
  const size = Math.floor((treeBytes - entrypoint.length - 1_024) / (files - 1));
  for (let index = 1; index < files; index += 1) {
    const text = Array.from({ length: Math.ceil(size / 150) }, () => makeText(random, 200)).join('\n');
    await writeFile(join(tree, 'references', `${index}.txt`), Buffer.from(text).subarray(0, size));
  }
}

/** Writes the tree's archive beside it, and hashes its files. */
async function runTools(tree: string): Promise<void> {
  await run('zip', ['-q', '-r', `${tree}.zip`, '.'], { cwd: tree });
  await run('sh', ['-c', 'find . -type f -exec sha256sum {} +'], { cwd: tree });
}

async function uploadAndDownload(url: string, archive_base64: string): Promise<void> {
  const scope_id = 'packages';
  const { candidate_id } = await post(`${url}/v1/skill/package/propose`, { scope_id, archive_base64 });
  const download = await post(`${url}/v1/artifact-candidates/package/download`, {
    scope_id,
    candidate_id,
    version: 1,
  });
  if (String(download['archive_base64']).length < treeBytes) throw new Error('The download is not complete.');
}

async function post(url: string, body: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}
