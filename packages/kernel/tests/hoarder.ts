import { returnIdleMemory } from '../src/process/liveness.ts';

const bytesPerMb = 2 ** 20;
const rssMb = () => process.memoryUsage.rss() / bytesPerMb;

/** Fills 160 MB and forgets it. Returns the memory that the process had then, in MB. */
function hoard(): number {
  const kept = Array.from({ length: 200 }, () => Array.from({ length: 100_000 }, Math.random));
  return kept.length === 200 ? rssMb() : 0;
}

const loadedMb = hoard();
returnIdleMemory({ checkMs: 100 });
setInterval(() => {
  const returnedMb = loadedMb - rssMb();
  if (returnedMb > 100) process.stdout.write(`${JSON.stringify({ returnedMb })}\n`);
}, 20);
