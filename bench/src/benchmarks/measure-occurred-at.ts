import type { Finding } from '../benchmark.ts';
import { type HttpLoad, send } from '../load/http-load.ts';
import { captureRequest, makeCapture } from '../load/requests.ts';
import { median } from '../report/median.ts';
import type { Workload } from './measured-operations.ts';

const connections = 32;
const maxPerSecond = 4_000;
const occurred_at = '2026-06-01T19:00:00.000-05:00';

interface Setup {
  url: string;
  load: HttpLoad;
  workload: Pick<Workload, 'random' | 'scopeIds'>;
  roundMs: number;
  warmUpRounds: number;
}

/** Compares captures without and with `occurred_at`, in turns, so that other load on the machine affects both alike. */
export async function measureOccurredAt(
  { url, load, workload: { random, scopeIds }, roundMs, warmUpRounds }: Setup,
  rounds: number,
): Promise<Finding> {
  const rateOf = async (more: object) => {
    const sent = Array.from({ length: Math.ceil((maxPerSecond * roundMs) / 1_000) }, () => {
      const { path, body } = captureRequest(makeCapture(random, scopeIds));
      return { path, body: { ...(body as object), ...more } };
    });
    return (await send(load, [url], sent, { connections, maxMs: roundMs })).perSecond;
  };
  const ratios: number[] = [];
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    // Each is the first one in every other round.
    const isFirst = round % 2 === 0;
    const before = isFirst ? await rateOf({}) : undefined;
    const dated = await rateOf({ occurred_at });
    const plain = before ?? (await rateOf({}));
    if (round >= 0) ratios.push(plain / dated);
  }
  return {
    name: `capture: rate without occurred_at / with it, at ${connections} connections`,
    value: median(ratios),
    unit: '×',
    bar: { kind: 'at most', limit: 1.02 },
    note: `median of ${rounds}, ${ratios.map((ratio) => ratio.toFixed(3)).join(', ')}`,
  };
}
