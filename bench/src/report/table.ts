import { type Finding, meetsBar, type Throughput } from '../benchmark.ts';

/** Formats a Markdown table with padded columns. Columns named in `right` are aligned to the right. */
export function formatTable(head: string[], rows: string[][], right: ReadonlySet<string>): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const isRight = head.map((name) => right.has(name));
  const line = (cells: string[]) => {
    const padded = cells.map((cell, column) =>
      isRight[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    isRight[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

const throughputHead = ['request', 'connections', 'per second', 'p50 ms', 'p99 ms', 'direct SQL/s', 'ratio'];

export function throughputTable(throughputs: Throughput[]): string {
  const rows = throughputs.map(({ name, connections, perSecond, p50Ms, p99Ms, direct }) => [
    name,
    String(connections),
    perSecond.toFixed(0),
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    direct?.perSecond.toFixed(0) ?? '',
    direct?.ratio.toFixed(2) ?? '',
  ]);
  return formatTable(throughputHead, rows, new Set(throughputHead.slice(1)));
}

export function findingTable(findings: Finding[]): string {
  const rows = findings.map((finding) => [
    finding.name,
    `${formatValue(finding.value)} ${finding.unit}`.trim(),
    finding.bar === undefined ? '' : `${finding.bar.kind} ${formatValue(finding.bar.limit)}`,
    verdictOf(finding),
    finding.note ?? '',
  ]);
  return formatTable(['result', 'measured', 'bar', 'verdict', 'computed from'], rows, new Set(['measured']));
}

function verdictOf(finding: Finding): string {
  if (finding.bar === undefined) return '';
  return meetsBar(finding) ? 'ok' : 'MISSED';
}

function formatValue(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
