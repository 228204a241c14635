import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';
import { trackedFiles } from './tracked-files.ts';

/** A file with the version of the release, and where in it. */
const places: readonly [file: string, version: RegExp][] = [
  ['clients/python/pyproject.toml', /^version = "(.+)"$/m],
  ['deploy/helm/continuity/Chart.yaml', /^version: (.+)$/m],
  ['deploy/helm/continuity/Chart.yaml', /^appVersion: (.+)$/m],
  ['packages/client/src/request.ts', /packageVersion = '(.+)'/],
  ['integrations/continuity/.claude-plugin/plugin.json', /"version": "(.+)"/],
  ['integrations/continuity/.codex-plugin/plugin.json', /"version": "(.+)"/],
  ['integrations/copilot/plugin.json', /"version": "(.+)"/],
  ['integrations/gemini/gemini-extension.json', /"version": "(.+)"/],
];

const manifest = /^(?:package|bench\/package|(?:packages|services)\/[^/]+\/package)\.json$/;

/** The version of this release. Throws with a list if files disagree, or if the changelog does not know it. */
export function releaseVersion(): string {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const manifests = trackedFiles('.').filter((path) => manifest.test(path));
  const all = [...places, ...manifests.map((file) => [file, /"version": "(.+)"/] as const)];
  const others = all
    .map(([file, pattern]) => [file, pattern.exec(read(file))?.[1] ?? 'none'] as const)
    .filter(([, found]) => found !== version);
  if (others.length > 0)
    throw new Error(
      `The release is ${version}, but: ${others.map(([file, found]) => `${file} has ${found}`).join(', ')}.`,
    );
  if (!read('CHANGELOG.md').includes(`\n## [${version}]`))
    throw new Error(`CHANGELOG.md has no section "## [${version}]".`);
  return version;
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
