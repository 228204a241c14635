import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

interface QueryGraph {
  strings: string[];
  graph: string;
}

const root = new URL('../../../', import.meta.url);
const script: { spreadQueryGraph(graph: QueryGraph): QueryGraph } = await import(
  new URL('scripts/prisma-query-graph.mjs', root).href
);

const bytes = (graph: string) => [...Buffer.from(graph, 'base64url')];
const graphOf = (...values: number[]): QueryGraph => ({
  strings: ['where', 'Status', 'Job.findMany'],
  graph: Buffer.from(values).toString('base64url'),
});

/** One input node with an edge without and one with an enum, one output node, one root. */
const header = [1, 1, 1];
const input = [2, 0, 7, 9, 0, 0, 128, 1, 255, 255, 200, 1, 2, 3];
const output = [1, 0, 0, 5];
const roots = [2, 1, 0];

test('the names of a query graph move behind 1,024 unused ones, and nothing else changes', () => {
  const { strings, graph } = script.spreadQueryGraph(graphOf(...header, ...input, ...output, ...roots));
  expect(strings).toHaveLength(1_027);
  expect(strings.slice(1_023)).toEqual(['', 'where', 'Status', 'Job.findMany']);
  // 1,024 is 0 and 8 in groups of seven bits.
  expect(bytes(graph)).toEqual([
    ...header,
    ...[2, 128, 8, 7, 9, 0, 0, 128, 129, 8, 255, 255, 200, 1, 130, 8, 3],
    ...[1, 128, 8, 0, 5],
    ...[130, 8, 1, 0],
  ]);
});

test('a query graph of another format is refused', () => {
  const all = [...header, ...input, ...output, ...roots];
  expect(() => script.spreadQueryGraph(graphOf(...all.slice(0, -1)))).toThrow('ends too early');
  expect(() => script.spreadQueryGraph(graphOf(...all, 0))).toThrow('another format');
});

test('the generated client has the spread graph', async () => {
  const generated = new URL('packages/shared/src/generated/prisma/internal/class.ts', root);
  const [, names = ''] = /strings: JSON\.parse\((".*")\)/.exec(await readFile(generated, 'utf8')) ?? [];
  const strings: string[] = JSON.parse(JSON.parse(names));
  expect(strings.findIndex((name) => name !== '')).toBe(1_024);
});
