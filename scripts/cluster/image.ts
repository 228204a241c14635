import { fileURLToPath } from 'node:url';
import { pauseImage } from './node-settings.ts';
import { podman } from './podman.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = fileURLToPath(new URL('images', import.meta.url));

/** The image of this checkout, under the name that `docker-compose.yml` gives it. */
export const image = 'docker.io/library/continuity:local';

/** The name that the chart gives it by default. */
export const chartImage = 'docker.io/library/continuity:0.1.0';

/** Releases after that of this checkout, by their tags: each adds a migration. */
const nextReleases: Readonly<Record<string, string>> = {
  next: 'CREATE TABLE next_release (id bigint PRIMARY KEY); UPDATE deployment SET release = release + 1;',
  broken: 'ALTER TABLE no_such_table ADD COLUMN id bigint;',
};

export const storesImage = 'docker.io/pgvector/pgvector:pg18';
export const clusterImages = [
  chartImage,
  ...Object.keys(nextReleases).map((tag) => `docker.io/library/continuity:${tag}`),
  storesImage,
  pauseImage,
];

/** Builds the image of this checkout as the documentation says. */
export async function buildImage(): Promise<void> {
  await podman('build', '--layers', '--network', 'host', '--tag', image, '--tag', chartImage, root);
}

/** Builds images of later releases on that of this checkout. */
export async function buildNextReleases(): Promise<void> {
  for (const [tag, sql] of Object.entries(nextReleases)) {
    const args = ['--build-arg', `SQL=${sql}`, '--build-arg', `NAME=29990101000000_${tag}`];
    const names = [
      '--tag',
      `docker.io/library/continuity:${tag}`,
      '--file',
      `${folder}/next-release.Containerfile`,
    ];
    await podman('build', '--layers', '--network', 'none', ...args, ...names, folder);
  }
}
