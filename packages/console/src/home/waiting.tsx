import { useCall } from '../api/calls.ts';
import type { RequestTo } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { addressOf } from '../routing/place.ts';
import { Stored } from '../text/stored-text.tsx';
import { Answer } from '../ui/states.tsx';
import { number, Time } from '../ui/time.tsx';

const shown = 5;

/** The region "Waiting for review": total, the oldest, and five links. */
export function WaitingForReview({
  selection,
  scope,
}: {
  selection: RequestTo<'listCandidateInbox'>['selection'];
  scope: string | null;
}) {
  const call = useCall('listCandidateInbox', { selection, limit: shown });
  const within = scope === null ? {} : { within: 'scope', scope };
  return (
    <section aria-label={t.waitingForReview}>
      <h2>{t.waitingForReview}</h2>
      <Answer call={call}>
        {({ items, total }) =>
          items[0] === undefined ? (
            <p>{t.nothingWaits}</p>
          ) : (
            <>
              <p>
                {t.waitCount(total.exact ? number(total.value) : t.moreThan(number(total.value)))}{' '}
                {t.oldestSince} <Time value={items[0].created_at} />
              </p>
              <ul class="rows">
                {items.map(({ candidate_id, scope_id, title, family }) => (
                  <li key={candidate_id}>
                    <a href={addressOf('review', { ...within, candidate: candidate_id, of: scope_id })}>
                      <Stored text={title} /> <span class="facts">{t.families[family]}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Answer>
    </section>
  );
}
