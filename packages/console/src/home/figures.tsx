import type { AnswerOf } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { KindName } from '../ui/enum-value.tsx';
import { number } from '../ui/time.tsx';
import { BarChart, reported, sum } from './bar-chart.tsx';

type Stats = AnswerOf<'getStats'>;
type Use = Stats['usage']['totals'];

/** Context preparations by day, and the tokens that they saved. */
export function Recall({ recall: { totals, daily } }: { recall: Stats['recall'] }) {
  const dates = daily.map(({ date }) => date);
  if (daily.every(({ preparations }) => preparations === 0)) return <p>{t.noPreparations}</p>;
  return (
    <>
      <BarChart
        sentence={t.preparationsSentence(
          number(totals.preparations),
          number(totals.ready_preparations),
          number(totals.comparable_preparations),
        )}
        dates={dates}
        series={[
          { name: t.preparations, values: daily.map((day) => day.preparations) },
          { name: t.readyPreparations, values: daily.map((day) => day.ready_preparations) },
          { name: t.comparablePreparations, values: daily.map((day) => day.comparable_preparations) },
        ]}
      />
      {daily.every(({ comparable_preparations }) => comparable_preparations === 0) ? (
        <p>{t.noneComparable}</p>
      ) : (
        <BarChart
          sentence={t.reductionSentence(
            number(totals.baseline_tokens),
            number(totals.recalled_tokens),
            number(totals.token_reduction),
          )}
          dates={dates}
          series={[
            { name: t.baselineTokens, values: daily.map((day) => day.baseline_tokens) },
            { name: t.recalledTokens, values: daily.map((day) => day.recalled_tokens) },
            { name: t.tokenReduction, values: daily.map((day) => day.token_reduction) },
          ]}
        />
      )}
      <p class="hint">{t.recallCaveat}</p>
    </>
  );
}

const tokensOf = ({ generation, embedding }: Use): number | null =>
  sum([generation.input_tokens, generation.output_tokens, embedding.input_tokens, embedding.output_tokens]);
const requestsOf = ({ generation, embedding }: Use): number => generation.requests + embedding.requests;

/** Tokens of model calls by day and purpose. */
export function ModelUse({ usage: { totals, daily, by_purpose } }: { usage: Stats['usage'] }) {
  if (requestsOf(totals) === 0) return <p>{t.noModelUse}</p>;
  return (
    <>
      <BarChart
        sentence={t.modelUseSentence(number(requestsOf(totals)), reported(tokensOf(totals)))}
        dates={daily.map(({ date }) => date)}
        series={[
          { name: t.allPurposes, values: daily.map(tokensOf) },
          ...by_purpose.map(({ purpose }) => ({
            name: t.purposes[purpose],
            values: daily.map((day) => {
              const use = day.by_purpose.find((one) => one.purpose === purpose);
              return use === undefined ? 0 : tokensOf(use);
            }),
          })),
        ]}
      />
      {by_purpose.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">{t.purpose}</th>
              <th scope="col">{t.modelCalls}</th>
              <th scope="col">{t.tokens}</th>
            </tr>
          </thead>
          <tbody>
            {by_purpose.map((use) => (
              <tr key={use.purpose}>
                <td>{t.purposes[use.purpose]}</td>
                <td>{number(requestsOf(use))}</td>
                <td>{reported(tokensOf(use))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** What the Scopes hold now. */
export function Contents({ inventory: { sources, artifacts, memory } }: { inventory: Stats['inventory'] }) {
  const of = (family: string) => artifacts.by_family.find((one) => one.family === family)?.total ?? 0;
  return (
    <table>
      <tbody>
        <tr>
          <th scope="row">{t.pages.sources}</th>
          <td>{number(sources.total)}</td>
        </tr>
        {memory.entries.by_kind.slice(0, 30).map(({ kind, active, inactive }) => (
          <tr key={kind}>
            <th scope="row">
              {t.entriesHead}: <KindName kind={kind} />
            </th>
            <td>
              {number(active)}
              {inactive > 0 && ` (+${number(inactive)} ${t.retired})`}
            </td>
          </tr>
        ))}
        {memory.entries.by_kind.length > 30 && (
          <tr>
            <th scope="row">{t.andMore(memory.entries.by_kind.length - 30)}</th>
            <td />
          </tr>
        )}
        <tr>
          <th scope="row">{t.experiencesHead}</th>
          <td>{number(of('experience'))}</td>
        </tr>
        <tr>
          <th scope="row">{t.skillsHead}</th>
          <td>{number(of('skill'))}</td>
        </tr>
      </tbody>
    </table>
  );
}
