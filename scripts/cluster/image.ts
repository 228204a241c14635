import { fileURLToPath } from 'node:url';
import { podman } from './podman.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The image of this checkout, under the name that `docker-compose.yml` gives it. */
export const image = 'docker.io/library/continuity:local';

/** Builds the image of this checkout as the documentation says. */
export async function buildImage(): Promise<void> {
  await podman('build', '--layers', '--network', 'host', '--tag', image, root);
}
