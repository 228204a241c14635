import { setTimeout as sleep } from 'node:timers/promises';
import { NoAnswerError } from '@continuity/testing';
import { clientOf } from '../support/tenants.ts';

export const tenantWriteKinds = ['remember', 'flush'] as const;
type Kind = (typeof tenantWriteKinds)[number];

/** A write of a tenant. Its text names the tenant. */
export interface TenantWrite {
  tenant: string;
  kind: Kind;
  text: string;
  /** The last fault when the write was sent. */
  after: string;
  /** When a gateway answered with success, by `performance.now`. Without it, the write may be stored once or not at all. */
  answeredAt?: number;
}

/** All tenants use one Scope id, so that an answer with rows of another tenant would look right. */
export const sharedScope = 'shared';

/** Pause after each request. */
const pauseMs = 120;

/** What the tenants have sent and received. */
export class TenantLedger {
  readonly writes: TenantWrite[] = [];
  /** Texts of another tenant in an answer. */
  readonly foreign: string[] = [];
  /** Answers that the contract does not allow. */
  readonly surprises: string[] = [];
  /** The codes of the refusals with 503 of each tenant, with the last fault. */
  readonly refusals = new Map<string, string[]>();
  /** The last fault. */
  fault = 'start';
  /** The time of the last success of each tenant and kind. */
  readonly #served = new Map<string, number>();

  /** Tenants and kinds without a success that was answered after `since`. */
  unservedSince(since: number, tenants: readonly string[]): string[] {
    return tenants
      .flatMap((tenant) => [...tenantWriteKinds, 'read'].map((kind) => `${kind} of ${tenant}`))
      .filter((name) => (this.#served.get(name) ?? 0) <= since);
  }

  succeeded(tenant: string, kind: Kind | 'read', at: number): void {
    this.#served.set(`${kind} of ${tenant}`, at);
  }

  refused(tenant: string, code: string): void {
    this.refusals.set(tenant, [...(this.refusals.get(tenant) ?? []), `${code} after "${this.fault}"`]);
  }
}

/** Starts a writer of each kind and a reader for each tenant. The function it returns lets each end its request. */
export function startTenantLoad(url: string, tenants: readonly string[], ledger: TenantLedger) {
  let isStopped = false;
  const repeat = async (work: (count: number) => Promise<void>) => {
    for (let count = 0; !isStopped; count += 1) {
      await work(count);
      await sleep(pauseMs);
    }
  };
  const running = tenants.flatMap((tenant) => {
    const client = clientOf(url, tenant);
    const scope_id = sharedScope;
    const attempt = <
      Reply extends { status: number; error?: { code: string } | undefined; headers: Headers },
    >(
      request: Promise<Reply>,
    ) => attemptOf(ledger, tenant, request);
    return [
      repeat(async (count) => {
        const text = `Fact of ${tenant}: ${count}`;
        const write: TenantWrite = { tenant, kind: 'remember', text, after: ledger.fault };
        ledger.writes.push(write);
        const reply = await attempt(
          client.call('remember_memory', { body: { scope_id, kind: 'fact', text } }),
        );
        if (reply !== undefined) write.answeredAt = performance.now();
        if (reply !== undefined) ledger.succeeded(tenant, 'remember', performance.now());
      }),
      repeat(async (count) => {
        const source_id = `${tenant}-${count}`;
        const content = `We use Kafka for ${source_id}.`;
        const write: TenantWrite = { tenant, kind: 'flush', text: content, after: ledger.fault };
        ledger.writes.push(write);
        const body = { scope_id, source_id, content };
        const captured = await attempt(client.call('capture_content_source', { body }));
        if (captured === undefined) return;
        // The Source is stored: a later flush takes it, if this one is refused.
        write.answeredAt = performance.now();
        const flushed = await attempt(client.call('flush_memory', { body: { scope_id } }));
        if (flushed !== undefined) ledger.succeeded(tenant, 'flush', performance.now());
      }),
      repeat(async () => {
        const listed = await attempt(client.call('list_memory_entries', { body: { scope_id, limit: 50 } }));
        const query = 'fact Kafka';
        const found = await attempt(client.call('search_memory', { body: { scope_id, query, limit: 10 } }));
        const texts = [...(listed?.body.entries ?? []), ...(found?.body.hits ?? [])].map(({ text }) => text);
        ledger.foreign.push(
          ...texts.filter((text) => !text.includes(` ${tenant}`)).map((text) => `${tenant} read "${text}"`),
        );
        if (listed !== undefined && found !== undefined) ledger.succeeded(tenant, 'read', performance.now());
      }),
    ];
  });
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** The answer of a success; undefined for a refusal with 503 and `Retry-After`. */
async function attemptOf<
  Reply extends { status: number; error?: { code: string } | undefined; headers: Headers },
>(ledger: TenantLedger, tenant: string, request: Promise<Reply>): Promise<Reply | undefined> {
  const reply = await request.catch((error: unknown) => {
    if (!(error instanceof NoAnswerError)) throw error;
    ledger.surprises.push(`no answer for ${tenant}: ${String(error.cause)}`);
  });
  if (reply === undefined || reply.error === undefined) return reply ?? undefined;
  ledger.refused(tenant, reply.error.code);
  if (reply.status !== 503 || reply.headers.get('retry-after') === null)
    ledger.surprises.push(`${tenant}: ${reply.status} ${JSON.stringify(reply.error)}`);
  return undefined;
}
