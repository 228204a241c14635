import { readFile } from 'node:fs/promises';
import { errorCodes, queueNames } from '@continuity/contract';
import { createLogger, metricDefinitions, startTelemetry } from '@continuity/kernel/telemetry';
import { type MetricFamily, readOpenMetrics } from '@continuity/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startService, type TestService } from '../support/service.ts';

const root = new URL('../../../../', import.meta.url);
const folder = 'deploy/observability';
const read = (path: string) => readFile(new URL(path, root), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook_url: string };
}

interface RuleTest {
  name: string;
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[];
}

const { groups }: { groups: { rules: Rule[] }[] } = parse(await read(`${folder}/alerts.yaml`));
const rules = groups.flatMap((group) => group.rules);
const { tests: ruleTests }: { tests: RuleTest[] } = parse(await read(`${folder}/alerts.test.yaml`));

interface Panel {
  title: string;
  description?: string;
  targets?: { expr: string }[];
}

const { panels }: { panels: Panel[] } = JSON.parse(await read(`${folder}/dashboard.json`));
const charts = panels.filter(({ targets }) => targets !== undefined);

/** Label values by sample name and label. */
type Labels = Map<string, Map<string, Set<string>>>;

let service: TestService;
let labels: Labels;

beforeAll(async () => {
  service = await startService({ workers: true });
  await service.call('search_memory', { body: { scope_id: 'nowhere', query: 'x' } });
  await service.send('GET', '/v1/nowhere');
  const { text } = await service.send('GET', '/metrics');
  labels = labelsOf([readOpenMetrics(text), await everyMetricOfAWorker()]);
});

afterAll(() => service?.stop());

/** The exposition of a process in which everything happened that metrics count. */
async function everyMetricOfAWorker(): Promise<Map<string, MetricFamily>> {
  const logger = createLogger({ LOG_LEVEL: 'silent' }, 'test');
  const telemetry = await startTelemetry(service.settings, 'test', { logger, scraped: true });
  const { metrics } = telemetry;
  for (const status of ['2xx', '3xx', '4xx', '5xx', 'aborted'] as const)
    for (const operation of ['search_memory', 'prepare_context', 'remember_memory', 'capture_content_source'])
      metrics.recordRequest(operation, status, 1, status === '5xx' ? 'internal_error' : undefined);
  for (const queue of queueNames)
    for (const event of [
      'queued',
      'claimed',
      'succeeded',
      'failed',
      'cancelled',
      'requeued',
      'rerun',
      'lost',
    ] as const)
      metrics.recordJob({ queue, event, ms: 1 });
  for (const outcome of ['answered', 'timeout', 'unreachable', 'refused', 'invalid_output'] as const)
    metrics.recordModelRequest('extraction', outcome, 1);
  metrics.recordModelTokens('extraction', 1, 1);
  // A gateway with models has these checks.
  metrics.watchGauges(['ready'], async () => [
    { gauge: 'ready', value: 1, labels: { check: 'inference.generation' } },
  ]);
  const families = readOpenMetrics(await telemetry.scrape());
  await telemetry.shutdown();
  return families;
}

function labelsOf(expositions: Map<string, MetricFamily>[]): Labels {
  const all: Labels = new Map();
  for (const sample of expositions.flatMap((families) =>
    [...families.values()].flatMap((one) => [...one.samples.keys()]),
  )) {
    const [, name = '', pairs = ''] = /^([^{]+)(?:\{(.*)\})?$/.exec(sample) ?? [];
    const known = all.get(name) ?? new Map<string, Set<string>>();
    all.set(name, known);
    for (const [, label = '', value = ''] of pairs.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label, (known.get(label) ?? new Set()).add(value));
  }
  return all;
}

const selector = /\b((?:continuity|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;
const matcher = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;

/** Adds to what a process reports the labels that Prometheus adds. */
const addedLabels = ['instance', 'job'];

/** Errors in the metrics, labels and label values of a PromQL expression. */
function problemsOf(expr: string): string[] {
  const selectors = [...expr.matchAll(selector)];
  const wrongSelectors = selectors.flatMap(([, name = '', matchers = '']) => {
    const known = labels.get(name);
    return known === undefined ? [`${name} is no metric`] : wrongMatchers(known, matchers);
  });
  const used = selectors.flatMap(([, name = '']) => [...(labels.get(name)?.keys() ?? [])]);
  const grouped = [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/\s*,\s*/));
  const wrongGroups = grouped.filter((label) => !used.includes(label) && !addedLabels.includes(label));
  return [...wrongSelectors, ...wrongGroups.map((label) => `${label} is no label`)];
}

/** The values of matchers that no process reports. */
function wrongMatchers(known: Map<string, Set<string>>, matchers: string): string[] {
  return [...matchers.matchAll(matcher)].flatMap(([, label = '', operator = '', value = '']) => {
    const values = [...(known.get(label) ?? [])];
    const isPattern = operator.endsWith('~');
    const isMet = (one: string) =>
      isPattern ? values.some((seen) => new RegExp(`^(?:${one})$`).test(seen)) : values.includes(one);
    const unmet = (isPattern ? value.split('|') : [value]).filter((one) => !isMet(one));
    return unmet.map((one) => `${label}="${one}" never occurs`);
  });
}

/** Anchors of the headings of a page, as GitHub and others make them. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(/\s+/g, '-'),
  );
}

describe('alert rules', () => {
  test.each(rules)('$alert uses metrics and labels that exist', ({ expr }) => {
    expect(problemsOf(expr)).toEqual([]);
  });

  test('the check of metrics notices a wrong name, label and value', () => {
    expect(problemsOf('continuity_nothing')).toHaveLength(1);
    expect(problemsOf('continuity_ready{part="database"}')).toHaveLength(1);
    expect(problemsOf('sum by (tenant) (continuity_ready{check="disk"})')).toHaveLength(2);
  });

  test.each(rules)('$alert leads to its section of the runbook', async ({ alert, annotations }) => {
    const [page = '', anchor = ''] = annotations.runbook_url.split('#');
    expect(anchor).toBe(alert.toLowerCase());
    expect(anchorsOf(await read(page))).toContain(anchor);
  });

  test('every alert of the runbook has a rule', async () => {
    const sections = [...(await read('docs/runbook.md')).matchAll(/^### (Continuity\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(sections.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  test.each(rules)('$alert has a test in which it fires, and one in which it does not', ({ alert }) => {
    const cases = ruleTests.flatMap((one) => one.alert_rule_test).filter((one) => one.alertname === alert);
    expect(cases.some(({ exp_alerts }) => exp_alerts.length === 0)).toBe(true);
    expect(cases.some(({ exp_alerts }) => exp_alerts.length > 0)).toBe(true);
  });
});

test.each(charts)('dashboard: $title uses metrics and labels that exist', ({ targets = [], description }) => {
  expect(targets.flatMap(({ expr }) => problemsOf(expr))).toEqual([]);
  expect(description).toBeTruthy();
});

test('every metric is in the dashboard', () => {
  const shown = charts.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join();
  expect(
    Object.values(metricDefinitions).filter(({ name }) => !shown.includes(name.replaceAll('.', '_'))),
  ).toEqual([]);
});

test('docs/observability.md lists every metric with its labels, and no other', async () => {
  const rows = (await read('docs/observability.md')).matchAll(
    /^\| `((?:continuity|process|nodejs)_\w+)` +\|([^|]*)\|/gm,
  );
  const listed = new Map(
    [...rows].map(([, name = '', cell = '']) => [
      name,
      [...cell.matchAll(/`(\w+)`/g)].map(([, label]) => label),
    ]),
  );
  const defined = Object.values(metricDefinitions).map(({ name, labels: own }) => ({
    name: name.replaceAll('.', '_'),
    own,
  }));
  for (const { name, own } of defined) {
    const [found, ...others] = [...listed.keys()].filter(
      (one) => one.replace(/(_seconds|_bytes)?(_total)?$/, '') === name,
    );
    expect([name, found !== undefined, others]).toEqual([name, true, []]);
    expect([name, listed.get(found ?? '')]).toEqual([name, own]);
  }
  expect(listed.size).toBe(defined.length);
});

test('every process reports the metrics of its definitions, with their labels', () => {
  for (const { name, labels: own } of Object.values(metricDefinitions)) {
    const samples = [...labels].filter(([sample]) => sample.startsWith(name.replaceAll('.', '_')));
    expect([name, samples.length > 0]).toEqual([name, true]);
    for (const [, known] of samples.filter(([sample]) => !sample.includes('_jobs_') || name.includes('jobs')))
      expect([name, [...known.keys()].filter((label) => label !== 'le').toSorted()]).toEqual([
        name,
        own.toSorted(),
      ]);
  }
});

test('the code of an alert is one of the contract', () => {
  const codes = rules.flatMap(({ expr }) => [...expr.matchAll(/code="(\w+)"/g)].map(([, code = '']) => code));
  for (const code of codes) expect(errorCodes).toContain(code);
});
