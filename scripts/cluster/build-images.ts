// Builds the images of a run of the tests: the base images, that of this checkout, and those of later releases. Only one run at a time may
// do so, because all checkouts of this user share the store of images.
import { ensureBaseImages, hasBaseImages } from './base-images.ts';
import { buildImage, buildNextReleases } from './image.ts';
import { cleanImageStore, createImageStore } from './podman.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

await createImageStore();
await cleanImageStore();
if (!(await hasBaseImages())) say('Making the base images from packages of Debian (once, about 5 minutes) …');
await ensureBaseImages();
say('Building the image …');
const startedAt = performance.now();
await buildImage();
await buildNextReleases();
say(`Built the image in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.`);
