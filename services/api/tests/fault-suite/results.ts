import type { Injected } from './faults.ts';
import { type Exchange, isWrite } from './ledger.ts';

/** Effects of one fault, as callers see them. */
export interface Result {
  name: string;
  answered: number;
  /** Refused with 503, by code. */
  refused: Record<string, number>;
  cut: number;
  /** From the return of the part to the first success of every kind of write, in ms. */
  recoveryMs: number;
  /** The longest request of each kind, in ms. A request that was sent before the fault counts from the fault. */
  refusalMs: number;
  readinessMs: number;
  livenessMs: number;
}

export function measure(name: string, injected: Injected, servingAt: number, ended: Exchange[]): Result {
  const writes = ended.filter(isWrite);
  const longest = (which: (exchange: Exchange) => boolean) => longestOf(ended.filter(which), injected.from);
  const codes = writes.filter(({ outcome }) => outcome === 'refused').map(({ code = '' }) => code);
  return {
    name,
    answered: writes.filter(({ outcome }) => outcome === 'success').length,
    refused: Object.fromEntries(
      [...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]),
    ),
    cut: writes.filter(({ outcome }) => outcome === 'cut').length,
    recoveryMs: Math.max(0, servingAt - injected.backAt),
    refusalMs: longest((one) => isWrite(one) && one.outcome === 'refused'),
    readinessMs: longest(({ kind }) => kind === 'readiness'),
    livenessMs: longest(({ kind }) => kind === 'liveness'),
  };
}

const longestOf = (exchanges: Exchange[], from: number) =>
  Math.max(0, ...exchanges.map(({ sentAt, endedAt = sentAt }) => endedAt - Math.max(sentAt, from)));

/** The results as a table in Markdown, one row for each kind of fault. */
export function formatResults(results: readonly Result[]): string {
  const names = [...new Set(results.map(({ name }) => name))];
  const rows = names.map((name) => {
    const same = results.filter((result) => result.name === name);
    const sum = (value: (result: Result) => number) =>
      same.reduce((total, result) => total + value(result), 0);
    const most = (value: (result: Result) => number) => Math.max(...same.map(value)) / 1_000;
    const codes = [...new Set(same.flatMap(({ refused }) => Object.keys(refused)))].toSorted();
    const refused = codes.map((code) => `${sum((one) => one.refused[code] ?? 0)} ${code}`).join(', ');
    return [
      name,
      same.length,
      sum(({ answered }) => answered),
      refused || '0',
      sum(({ cut }) => cut),
      most(({ refusalMs }) => refusalMs).toFixed(1),
      most(({ readinessMs }) => readinessMs).toFixed(1),
      most(({ recoveryMs }) => recoveryMs).toFixed(1),
    ];
  });
  const head = [
    'Fault',
    'Times',
    'Answered',
    'Refused with 503',
    'Cut',
    'Longest refusal, s',
    'Longest readiness, s',
    'Longest recovery, s',
  ];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}
