import { t } from '../catalog/index.ts';
import { preferences } from './preferences.ts';

const dayMs = 86_400_000;

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** A time: relative up to a day, then in the time zone of the browser (spec 60 §6.5.2). */
export function Time({ value }: { value: string | Date }) {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return <span>{t.unknown}</span>;
  const absolute = date.toLocaleString(preferences.value.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return (
    <time dateTime={date.toISOString()} title={absolute}>
      {Math.abs(Date.now() - date.getTime()) < dayMs ? relative(date) : absolute}
    </time>
  );
}

function relative(date: Date): string {
  const elapsed = date.getTime() - Date.now();
  const [unit, length] = steps.find(([, ms]) => Math.abs(elapsed) >= ms) ?? ['second', 1_000];
  const format = new Intl.RelativeTimeFormat(preferences.value.language, { numeric: 'auto', style: 'short' });
  return format.format(Math.round(elapsed / length), unit);
}

/** The time in a UUIDv7; null for another id. */
export function timeOfId(id: string): Date | null {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-7/i.test(id)) return null;
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}

/** A whole number in the chosen language. */
export function number(value: number): string {
  return value.toLocaleString(preferences.value.language);
}

/** A size in bytes, with a short unit. */
export function bytes(value: number): string {
  if (value < 1024) return `${number(value)} B`;
  return value < 1024 * 1024
    ? `${number(Math.round(value / 102.4) / 10)} KiB`
    : `${number(Math.round(value / 104857.6) / 10)} MiB`;
}
