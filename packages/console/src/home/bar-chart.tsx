import { useState } from 'preact/hooks';
import { t } from '../catalog/index.ts';
import { number } from '../ui/time.tsx';

/** Values by UTC day. Null: not reported. */
export interface Series {
  name: string;
  values: (number | null)[];
}

const width = 600;
const height = 140;
const gap = 2;

/** A figure of bars by UTC day with a sentence, and the same numbers as a table. Null is a gap, a negative value a bar below zero. */
export function BarChart({
  sentence,
  dates,
  series,
}: {
  sentence: string;
  dates: string[];
  series: Series[];
}) {
  const [asTable, setAsTable] = useState(false);
  return (
    <figure>
      <figcaption>{sentence}</figcaption>
      {asTable ? <Table dates={dates} series={series} /> : <Bars dates={dates} series={series} />}
      <button type="button" class="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
        {t.showAsTable}
      </button>
    </figure>
  );
}

function Bars({ dates, series }: { dates: string[]; series: Series[] }) {
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const top = Math.max(1, ...all);
  const bottom = Math.min(0, ...all);
  const y = (value: number) => ((top - value) / (top - bottom)) * height;
  const day = width / Math.max(1, dates.length);
  const bar = Math.max(1, (day - gap) / series.length - 0.5);
  return (
    <>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t.chartOf(series.map(({ name }) => name).join(', '))}
        class="chart"
      >
        {series.map(({ name, values }, index) =>
          values.map(
            (value, at) =>
              value !== null && (
                <rect
                  key={`${name} ${dates[at]}`}
                  class={`series-${index}`}
                  x={at * day + index * (bar + 0.5)}
                  y={y(Math.max(0, value))}
                  width={bar}
                  height={Math.abs(y(0) - y(value))}
                />
              ),
          ),
        )}
        <line x1="0" x2={width} y1={y(0)} y2={y(0)} class="zero" />
      </svg>
      <p class="legend">
        {series.map(({ name }, index) => (
          <span key={name}>
            <i class={`swatch series-${index}`} /> {name}
          </span>
        ))}
        <span>
          {dates[0]} – {dates.at(-1)} UTC
        </span>
      </p>
    </>
  );
}

function Table({ dates, series }: { dates: string[]; series: Series[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t.dayUtc}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {dates.map((date, at) => (
          <tr key={date}>
            <th scope="row">{date}</th>
            {series.map(({ name, values }) => (
              <td key={name}>{reported(values[at] ?? null)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A number, or "not reported". */
export function reported(value: number | null): string {
  return value === null ? t.notReported : number(value);
}

/** A sum that is unknown if one of its parts is. */
export function sum(values: (number | null)[]): number | null {
  return values.reduce<number | null>(
    (total, value) => (total === null || value === null ? null : total + value),
    0,
  );
}
