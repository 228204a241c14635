import type { Client, OperationId } from '@continuity/testing';
import { freshScope, type Request, sendExample } from './requests.ts';

/** Brings about what an operation needs to succeed in a Scope, and says what its request must name. */
type Arrangement = (client: Client, scope: string) => Promise<Partial<Request>>;

/** For operations whose example alone cannot succeed, because it names what some other operation makes. */
export const arrangements: Partial<Record<OperationId, Arrangement>> = {
  get_source: async (client, scope) => {
    await sendExample(client, 'capture_content_source', scope);
    return {};
  },
  get_memory_entry: citeRemembered,
  revise_memory_entry: citeRemembered,
  retire_memory_entry: citeRemembered,
  get_job: async (client) => {
    const headers = { prefer: 'respond-async' };
    const job = await sendExample(client, 'flush_memory', freshScope(), { headers });
    return { params: { job_id: String(job['job_id']) } };
  },
};

async function citeRemembered(client: Client, scope: string): Promise<Partial<Request>> {
  return { body: { citation: citationIn(await sendExample(client, 'remember_memory', scope)) } };
}

/** The citation of the entry in the answer of a Memory write. */
export function citationIn(answer: Record<string, unknown>): unknown {
  return (answer['entry'] as { citation: unknown }).citation;
}
