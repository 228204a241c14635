import { type Call, useCall } from '../api/calls.ts';
import type { AnswerOf } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { addressOf } from '../routing/place.ts';
import { Answer } from '../ui/states.tsx';
import { number, Time } from '../ui/time.tsx';

const pollMs = 5_000;

type Queue = AnswerOf<'listQueues'>['queues'][number];
const countText = ({ value, exact }: Queue['queued']): string =>
  exact ? number(value) : t.moreThan(number(value));

/** The region "Backlog": Sources that wait, and the queues. */
export function Backlog({ stats, scope }: { stats: Call<AnswerOf<'getStats'>>; scope: string }) {
  const queues = useCall('listQueues', {}, { pollMs });
  return (
    <section aria-label={t.backlog}>
      <h2>{t.backlog}</h2>
      <Answer call={stats}>
        {({ inventory }) => (
          <p>
            <a href={addressOf('sources', { scope, state: 'pending' })}>
              {t.pendingSources(number(inventory.sources.memory_pending))}
            </a>
          </p>
        )}
      </Answer>
      <Answer call={queues}>
        {({ queues: all }) => (
          <table class="cards">
            <thead>
              <tr>
                <th scope="col">{t.queue}</th>
                <th scope="col">{t.queued}</th>
                <th scope="col">{t.running}</th>
                <th scope="col">{t.failed}</th>
                <th scope="col">{t.oldest}</th>
              </tr>
            </thead>
            <tbody>
              {all.map((one) => (
                <tr key={one.queue}>
                  <td data-label={t.queue}>
                    <code>{one.queue}</code> <WorkerState queue={one} />
                  </td>
                  <td data-label={t.queued}>{countText(one.queued)}</td>
                  <td data-label={t.running}>{countText(one.running)}</td>
                  <td data-label={t.failed}>{countText(one.failed)}</td>
                  <td data-label={t.oldest} class="short">
                    {one.oldest_queued_at !== null && <Time value={one.oldest_queued_at} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Answer>
    </section>
  );
}

/** Shows that a queue has no worker. That is a fault, unless the queue is optional and empty. */
function WorkerState({ queue: { queue, has_worker, queued } }: { queue: Queue }) {
  if (has_worker) return null;
  if (queued.value === 0 && Object.hasOwn(t.notSetUp, queue))
    return <span class="facts">{t.notSetUp[queue as keyof typeof t.notSetUp]}</span>;
  return <strong class="bad">{t.noWorkerShort}</strong>;
}
