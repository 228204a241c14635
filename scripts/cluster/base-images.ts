import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, installOnce, toolDirectory } from '../../packages/testing/src/tools.ts';
import { storesImage } from './image.ts';
import { kubernetesPrograms } from './kubernetes-programs.ts';
import { pauseImage } from './node-settings.ts';
import { hasImage, podman, podmanEnvironment } from './podman.ts';
import { runProgram } from './run-program.ts';

/** The release of Debian of all images. It has PostgreSQL 17 with pgvector, Redis 8, and Docker Compose 2. */
const suite = 'trixie';
const debian = `localhost/debian:${suite}`;

/** Images that the Dockerfile and `docker-compose.yml` name by default. */
const nodeImage = 'docker.io/library/node:24-slim';
const redisImage = 'docker.io/library/redis:8';
const collectorImage = 'docker.io/otel/opentelemetry-collector:0.139.0';

const composeFolder = toolDirectory(`docker-compose-${suite}`);

/** Docker Compose, as the package of Debian has it. It exists after `ensureBaseImages`. */
export const dockerCompose = join(composeFolder, 'usr/libexec/docker/cli-plugins/docker-compose');

const folder = fileURLToPath(new URL('images', import.meta.url));

/** Whether all base images and Docker Compose are in the cache. */
export const hasBaseImages = async (): Promise<boolean> =>
  existsSync(dockerCompose) &&
  (await Promise.all([nodeImage, collectorImage, storesImage, redisImage, pauseImage].map(hasImage))).every(
    Boolean,
  );

/**
 * Makes the images that the Dockerfile and `docker-compose.yml` name from packages of Debian, so that no registry of images is needed.
 * What exists and has not changed takes a few seconds.
 */
export async function ensureBaseImages(): Promise<void> {
  await ensureDebian();
  await installOnce(composeFolder, downloadCompose);
  await ensureNodeImage();
  await buildImage(collectorImage, 'collector');
  await buildImage(storesImage, 'stores');
  await podman('tag', storesImage, redisImage);
  await buildImage(pauseImage, 'pause', { programs: kubernetesPrograms });
}

/** DEBIAN_MIRROR: a mirror of Debian for `debootstrap`. */
const mirror = (): string => process.env['DEBIAN_MIRROR'] || 'http://deb.debian.org/debian';

async function ensureDebian(): Promise<void> {
  if (await hasImage(debian)) return;
  const root = await mkdtemp(join(podmanEnvironment.TMPDIR, 'debian-'));
  try {
    const include = '--include=ca-certificates,libstdc++6';
    await runProgram('debootstrap', ['--variant=minbase', include, suite, root, mirror()], {
      timeoutMs: 1_800_000,
    });
    const clean = 'rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/* "$1"/var/log/*';
    await runProgram('sh', ['-ec', `${clean}; tar -C "$1" -c . | podman import - "$2"`, 'sh', root, debian], {
      env: podmanEnvironment,
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** With the Node that the lock file pins, and npm of this machine. */
async function ensureNodeImage(): Promise<void> {
  const npm = await findProgram('npm');
  if (npm === undefined) throw new Error('The image of Node needs npm.');
  await buildImage(nodeImage, 'node', {
    node: dirname(process.execPath),
    npm: dirname(dirname(await realpath(npm))),
    certificates: '/etc/ssl/certs',
  });
}

async function buildImage(
  image: string,
  name: string,
  contexts: Readonly<Record<string, string>> = {},
): Promise<void> {
  const sources = Object.entries(contexts).flatMap(([key, path]) => ['--build-context', `${key}=${path}`]);
  const file = join(folder, `${name}.Containerfile`);
  await podman('build', '--layers', '--network', 'host', '--tag', image, '--file', file, ...sources, folder);
}

/** Unpacks the package, which apt has checked, into `draft`. */
async function downloadCompose(draft: string): Promise<void> {
  const steps = [
    'cd /tmp',
    'apt-get -o APT::Sandbox::User=root update',
    'apt-get -o APT::Sandbox::User=root download docker-compose',
    'dpkg -x docker-compose_*.deb /draft',
  ];
  const mount = ['--network', 'host', '--volume', `${draft}:/draft`];
  await podman('run', '--rm', ...mount, debian, 'sh', '-ec', steps.join('\n'));
}
