import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from './servers.ts';

/** A tenant that writes, and reads what it has written. */
interface TenantWriter {
  /** Texts of writes that were acknowledged, in their order. */
  acknowledged: string[];
  /** Count of requests that were refused for the time being. */
  refused: number;
  /** Longest time from the first attempt of a write to its acknowledgement, in milliseconds. */
  longestMs: number;
  /** Answers that a tenant must never get. */
  problems: string[];
  stop(): Promise<void>;
}

/** Remembers one text after the other, and searches for each that was acknowledged. A write that was refused is repeated with its key. */
export function startWriter({ client }: Deployment, tenant: string, scope_id: string): TenantWriter {
  const writer: TenantWriter = {
    acknowledged: [],
    refused: 0,
    longestMs: 0,
    problems: [],
    stop: async () => undefined,
  };
  const own = client(tenant);
  let isStopping = false;
  const isRefused = ({
    status,
    headers,
    error,
  }: {
    status: number;
    headers: Headers;
    error: { code: string } | undefined;
  }) => {
    if (status !== 503) return false;
    writer.refused += 1;
    if (headers.get('retry-after') === null) writer.problems.push(`503 ${error?.code} without Retry-After`);
    return true;
  };
  const untilAnswered = async <T extends Parameters<typeof isRefused>[0]>(
    ask: () => Promise<T>,
  ): Promise<T> => {
    for (;;) {
      const answer = await ask();
      if (!isRefused(answer)) return answer;
      await sleep(50);
    }
  };
  const write = async (number: number) => {
    const text = `Item${number} of ${tenant}.`;
    const headers = { 'Idempotency-Key': `${tenant}-${number}` };
    const body = { scope_id, kind: 'fact' as const, text };
    const begun = performance.now();
    const { status } = await untilAnswered(() => own.call('remember_memory', { body, headers }));
    if (status !== 200) return void writer.problems.push(`${status} for ${text}`);
    writer.longestMs = Math.max(writer.longestMs, performance.now() - begun);
    writer.acknowledged.push(text);
    const found = await untilAnswered(() =>
      own.call('search_memory', { body: { scope_id, query: `Item${number}`, limit: 1 } }),
    );
    if (found.body.hits[0]?.text !== text)
      writer.problems.push(`${text} was not found after it was acknowledged`);
  };
  const running = (async () => {
    for (let number = 0; !isStopping; number += 1) await write(number);
  })().catch((error: unknown) => void writer.problems.push(String(error)));
  writer.stop = async () => {
    isStopping = true;
    await running;
  };
  return writer;
}
