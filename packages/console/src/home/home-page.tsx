import { ServiceError } from '@continuity/client';
import { useCall } from '../api/calls.ts';
import { useScope } from '../app/scope.tsx';
import { t } from '../catalog/index.ts';
import { addressOf } from '../routing/place.ts';
import { choice, id, useParameters } from '../routing/schema.ts';
import { Select } from '../ui/fields.tsx';
import { PageHead } from '../ui/page.tsx';
import { Answer, Empty, Loading } from '../ui/states.tsx';
import { Backlog } from './backlog.tsx';
import { Contents, ModelUse, Recall } from './figures.tsx';
import { WaitingForReview } from './waiting.tsx';

const schema = {
  scope: id(256),
  period: choice('30d', '7d', 'today'),
  count: choice('scope', 'all'),
};

/** The page Home (spec 60 §7.1). Each region fails alone. */
export function HomePage() {
  const { values, ignored, set } = useParameters(schema);
  const scope = useScope();
  return (
    <>
      <PageHead title={t.pages.home} ignored={ignored} />
      <div class="filters">
        <Select
          label={t.count}
          value={values.count}
          options={(['scope', 'all'] as const).map((count) => [count, t.selections[count]] as const)}
          onChange={(count) => set({ count })}
        />
        <Select
          label={t.period}
          value={values.period}
          options={(['today', '7d', '30d'] as const).map((period) => [period, t.periods[period]] as const)}
          onChange={(period) => set({ period })}
        />
      </div>
      {scope === undefined ? (
        <Loading rows={6} />
      ) : (
        <Regions scope={scope} isAll={values.count === 'all'} period={values.period} />
      )}
    </>
  );
}

function Regions({
  scope,
  isAll,
  period,
}: {
  scope: string;
  isAll: boolean;
  period: 'today' | '7d' | '30d';
}) {
  const selection = isAll ? ({ mode: 'all' } as const) : { mode: 'exact' as const, scope_ids: [scope] };
  const stats = useCall('getStats', { selection, period, by_scope: false });
  const inventory = stats.data?.inventory;
  const isUnknown = stats.error instanceof ServiceError && stats.error.is('scope_not_found');
  const isEmpty =
    isUnknown ||
    (inventory !== undefined &&
      inventory.sources.total + inventory.memory.entries.total + inventory.candidates.total === 0);
  return (
    <>
      {isEmpty && (
        <Empty>
          <p>
            <strong>{t.emptyScope}</strong> <a href={addressOf('first-steps')}>{t.pages.firstSteps}</a>
          </p>
        </Empty>
      )}
      <div class="regions">
        <WaitingForReview selection={selection} scope={isAll ? null : scope} />
        <Backlog stats={stats} scope={scope} />
        <section aria-label={t.recall}>
          <h2>{t.recall}</h2>
          <Answer call={stats}>{({ recall }) => <Recall recall={recall} />}</Answer>
        </section>
        <section aria-label={t.modelUse}>
          <h2>{t.modelUse}</h2>
          <Answer call={stats}>{({ usage }) => <ModelUse usage={usage} />}</Answer>
        </section>
        <section aria-label={t.contents}>
          <h2>{t.contents}</h2>
          <Answer call={stats}>{({ inventory: counted }) => <Contents inventory={counted} />}</Answer>
        </section>
      </div>
      {!isEmpty && (
        <p>
          <a href={addressOf('first-steps')}>{t.pages.firstSteps}</a>
        </p>
      )}
    </>
  );
}
