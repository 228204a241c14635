// Prepares the run of `npm run test:cluster`: installs or builds the missing programs. With `--check`, it only says in a
// sentence why the test cannot run here at once, and exits with 1 then.

import { ensureHelm } from '../../packages/testing/src/helm.ts';
import { findProgram, installPackage } from '../../packages/testing/src/tools.ts';
import { hasBaseImages } from './base-images.ts';
import { ensureKubernetesPrograms, hasKubernetesPrograms } from './kubernetes-programs.ts';
import { findObstacle, missingPackages } from './machine.ts';
import { createImageStore } from './podman.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Why the test cannot run here within its minutes: the machine, or a tool that first has to be built. */
async function whyNot(): Promise<string | undefined> {
  const obstacle = await findObstacle();
  if (obstacle !== undefined) return `it needs ${obstacle}`;
  if (!hasKubernetesPrograms()) return 'Kubernetes is not built (run `npm run test:cluster` once)';
  await createImageStore();
  if (!(await hasBaseImages())) return 'its base images are not built (run `npm run test:cluster` once)';
  return undefined;
}

async function prepare(): Promise<void> {
  if (process.getuid?.() === 0) for (const name of await missingPackages()) await installPackage(name);
  const obstacle = await findObstacle();
  if (obstacle !== undefined) throw new Error(`The cluster test cannot run here: it needs ${obstacle}.`);
  await ensureHelm();
  if (!hasKubernetesPrograms()) {
    if ((await findProgram('go')) === undefined) throw new Error('Kubernetes is built with Go: install it.');
    say('Building Kubernetes with Go (once, about 10 minutes) …');
    await ensureKubernetesPrograms();
  }
}

if (process.argv.includes('--check')) {
  const reason = await whyNot();
  if (reason !== undefined) {
    say(`The cluster test does not run here: ${reason}.`);
    process.exitCode = 1;
  }
} else {
  await prepare().catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
