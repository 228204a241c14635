import { queueNames } from '@continuity/contract';
import { repeat } from '@continuity/kernel/process';
import { newId } from '@continuity/kernel/text';
import { query } from './sql.ts';

/** Interval of the heartbeats, in milliseconds. */
const beatMs = 2_000;

/** A worker of all queues that sends heartbeats and takes nothing, so that jobs stay queued. */
export async function startIdleWorker(
  databaseUrl: string,
  hostId: string | null = null,
): Promise<{ stop(): Promise<void> }> {
  const workerId = newId();
  const beat = async () => {
    await query(
      databaseUrl,
      `INSERT INTO workers (worker_id, host_id, queues) VALUES ($1, $2, $3)
       ON CONFLICT (worker_id) DO UPDATE SET seen_at = now()`,
      [workerId, hostId, queueNames],
    );
  };
  await beat();
  const beats = repeat(beatMs, beat, () => undefined);
  return {
    stop: async () => {
      await beats.stop();
      await query(databaseUrl, 'DELETE FROM workers WHERE worker_id = $1', [workerId]);
    },
  };
}
