import { existsSync } from 'node:fs';
import { copyFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOnce, toolDirectory } from '../../packages/testing/src/tools.ts';
import { runProgram } from './run-program.ts';

const version = 'v1.34.4';
/** Version of the modules that are parts of the repository of Kubernetes. */
const stagingVersion = version.replace('v1', 'v0');

/** Folder of the built programs, which are found by their names in it. */
export const kubernetesPrograms = toolDirectory(`kubernetes-${version}`);

const names = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubelet',
  'kube-proxy',
  'kubectl',
];

export const hasKubernetesPrograms = (): boolean => existsSync(kubernetesPrograms);

/**
 * Builds the programs of Kubernetes with Go unless they are in the cache: one program of 150 MB, and a link to it for each name. Takes about
 * eight minutes of processor time with an empty build cache.
 */
export const ensureKubernetesPrograms = (): Promise<void> =>
  installOnce(kubernetesPrograms, async (draft) => {
    const module = await mkdtemp(join(tmpdir(), 'continuity-kubernetes-'));
    try {
      await writeModule(module);
      await build(module, './kubernetes', join(draft, 'kubernetes'));
      await build(module, './pause', join(draft, 'pause'));
      await Promise.all(names.map((name) => symlink('kubernetes', join(draft, name))));
    } finally {
      await rm(module, { recursive: true, force: true });
    }
  });

/**
 * Writes a module that requires Kubernetes. Its own `go.mod` replaces the staging modules by folders of its repository, so this one replaces
 * them by their published versions.
 */
async function writeModule(folder: string): Promise<void> {
  const { Dir: source } = JSON.parse(
    await runProgram('go', ['mod', 'download', '-json', `k8s.io/kubernetes@${version}`]),
  ) as { Dir: string };
  const original = await readFile(join(source, 'go.mod'), 'utf8');
  const own = original
    .replace(/^module .*$/m, 'module continuity.example/cluster')
    .replaceAll(/(k8s\.io\/\S+) => \.\/staging\/\S+/g, `$1 => $1 ${stagingVersion}`);
  await writeFile(join(folder, 'go.mod'), `${own}\nrequire k8s.io/kubernetes ${version}\n`);
  await copyFile(join(source, 'go.sum'), join(folder, 'go.sum'));
  await cp(fileURLToPath(new URL('programs', import.meta.url)), folder, { recursive: true });
}

async function build(module: string, name: string, output: string): Promise<void> {
  const [, minor = ''] = version.split('.');
  const info = { gitVersion: version, gitMajor: '1', gitMinor: minor };
  const flags = Object.entries(info).map(
    ([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`,
  );
  const args = ['build', '-p', '1', '-trimpath', '-mod=mod', '-buildvcs=false', '-o', output];
  await runProgram('nice', ['-n', '10', 'go', ...args, `-ldflags=-s -w ${flags.join(' ')}`, name], {
    cwd: module,
    env: { CGO_ENABLED: '0', GOFLAGS: '', GOTOOLCHAIN: 'local' },
    timeoutMs: 4 * 3_600_000,
  });
}
