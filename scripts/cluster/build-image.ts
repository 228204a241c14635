// Builds the image of this checkout for the tests of it, and those of later releases.
import { buildImage, buildNextReleases } from './image.ts';

process.stdout.write('Building the image …\n');
const startedAt = performance.now();
await buildImage();
await buildNextReleases();
process.stdout.write(`Built the image in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.\n`);
