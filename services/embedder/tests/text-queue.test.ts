import { expect, test } from 'vitest';
import { type Pacing, QueueFullError, TextQueue } from '../src/text-queue.ts';

const unaborted = new AbortController().signal;

/** A model that notes which texts it was given, and waits until the first one may end. */
function noteTexts() {
  const begun: string[] = [];
  const first = Promise.withResolvers<void>();
  const queue = new TextQueue({
    embed: async (text) => {
      begun.push(text);
      if (begun.length === 1) await first.promise;
      if (text === 'bad') throw new Error('a defect');
      return { vector: new Float32Array(1), tokens: 1 };
    },
  });
  const embed = (...input: string[]) => queue.embed({ input, input_type: 'passage' }, unaborted);
  return { queue, begun, embed, continueFirst: first.resolve };
}

test('spec 26 S13: a request of one text goes before larger ones, and texts run one after the other', async () => {
  const { begun, embed, continueFirst } = noteTexts();
  const batch = embed('a1', 'a2', 'a3', 'a4');
  const other = embed('b1', 'b2', 'b3');
  const query = embed('q');
  expect(begun).toEqual(['a1']);
  continueFirst();
  await Promise.all([batch, other, query]);
  expect(begun).toEqual(['a1', 'q', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3']);
  expect(await batch).toHaveLength(4);
});

test('spec 26 S13: the texts of a query go before those of a smaller batch', async () => {
  const { queue, begun, embed, continueFirst } = noteTexts();
  const batch = embed('a1', 'a2', 'a3');
  const query = queue.embed({ input: ['q1', 'q2', 'q3', 'q4'], input_type: 'query' }, unaborted);
  continueFirst();
  await Promise.all([batch, query]);
  expect(begun).toEqual(['a1', 'q1', 'q2', 'q3', 'q4', 'a2', 'a3']);
});

test('a client that is gone takes its texts along, and a text that fails its request alone', async () => {
  const { queue, begun, embed, continueFirst } = noteTexts();
  const gone = new AbortController();
  const left = queue.embed({ input: ['a1', 'a2'], input_type: 'query' }, gone.signal);
  const bad = embed('bad', 'never');
  const good = embed('c1', 'c2');
  gone.abort(new Error('the client is gone'));
  continueFirst();
  await expect(left).rejects.toThrow('the client is gone');
  await expect(bad).rejects.toThrow('a defect');
  expect(await good).toHaveLength(2);
  expect(begun).toEqual(['a1', 'bad', 'c1', 'c2']);
});

test('the texts that wait are bounded', async () => {
  const { embed, continueFirst } = noteTexts();
  const many = Array.from({ length: 64 }, (_, index) => String(index));
  const accepted = Array.from({ length: 64 }, () => embed(...many));
  await expect(embed('one more')).rejects.toThrow(QueueFullError);
  continueFirst();
  await Promise.all(accepted);
  expect(await embed('later')).toHaveLength(1);
});

interface Pace {
  /** How long a text takes, in milliseconds. */
  tookMs?: number;
  /** Processor time of a text, of all threads. */
  processorMs: number;
  threads?: number;
  /** Replaces the pauses, whose lengths are noted. */
  pause?: Pacing['pause'];
}

/** A queue whose texts take as long as `pace` says. */
function paced({ tookMs = 20, processorMs, threads = 1, pause = async () => undefined }: Pace) {
  let texts = 0;
  const pauses: number[] = [];
  const begun: string[] = [];
  const model = {
    embed: async (text: string) => {
      begun.push(text);
      texts += 1;
      return { vector: new Float32Array(1), tokens: 1 };
    },
  };
  const queue = new TextQueue(model, threads, {
    now: () => texts * tookMs,
    processorMs: () => texts * processorMs,
    pause: (ms, signal) => {
      pauses.push(ms);
      return pause(ms, signal);
    },
  });
  const embed = (...input: string[]) => queue.embed({ input, input_type: 'passage' }, unaborted);
  const ask = (...input: string[]) => queue.embed({ input, input_type: 'query' }, unaborted);
  return { embed, ask, begun, pauses };
}

test.each([
  { given: 'shared processors', pace: { processorMs: 8 }, pauses: [20, 20] },
  { given: 'processors of its own', pace: { processorMs: 18 }, pauses: [] },
  { given: 'two threads on shared processors', pace: { processorMs: 16, threads: 2 }, pauses: [20, 20] },
  { given: 'a text of a second', pace: { tookMs: 1_000, processorMs: 400 }, pauses: [250, 250] },
  { given: 'a ninth of a processor', pace: { tookMs: 90, processorMs: 10 }, pauses: [10, 10] },
  { given: 'a fortieth of a processor', pace: { tookMs: 400, processorMs: 10 }, pauses: [] },
  { given: 'a text of a millisecond', pace: { tookMs: 1, processorMs: 0.4 }, pauses: [] },
])('with $given, the pauses between the texts of a batch are $pauses', async ({ pace, pauses }) => {
  const queue = paced(pace);
  await queue.embed('a1', 'a2', 'a3');
  expect(queue.pauses).toEqual(pauses);
});

test('a query of several texts waits for no pause', async () => {
  const { ask, pauses } = paced({ processorMs: 8 });
  await ask('q1', 'q2', 'q3');
  expect(pauses).toEqual([]);
});

test('a request of one text waits for no pause, and ends the one of a batch', async () => {
  const paused = Promise.withResolvers<void>();
  let isEndless = true;
  const pause: Pacing['pause'] = async (_, signal) => {
    paused.resolve();
    if (isEndless) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  const { embed, begun } = paced({ processorMs: 8, pause });
  const batch = embed('a1', 'a2', 'a3');
  await paused.promise;
  // Nothing but the query ends the pause.
  await embed('q');
  expect(begun).toEqual(['a1', 'q']);
  isEndless = false;
  await embed('q2');
  expect(await batch).toHaveLength(3);
  expect(begun).toEqual(['a1', 'q', 'q2', 'a2', 'a3']);
});
