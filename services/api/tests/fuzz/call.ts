import type { OperationSpec } from '@continuity/contract';
import { operations } from '@continuity/contract/operations';
import fc from 'fast-check';
import type { Place, Pool } from './pool.ts';
import { inputs, weighted } from './values/arbitrary.ts';
import { type Mutation, mutate, mutations } from './values/mutate.ts';
import { type Part, parts, shapeOf } from './values/schema.ts';
import { Fields, plainOf, type Tree, textOf } from './values/tree.ts';
import type { Draft } from './wire/draft.ts';
import { type Trick, tricks } from './wire/tricks.ts';

/** A request with placeholders for values of earlier answers. */
export interface Call {
  tenant: number;
  operation: OperationSpec;
  input: Record<Part, Tree>;
  mutations: { part: Part; mutation: Mutation }[];
  tricks: Trick[];
  prefersAsync: boolean;
}

/** Everything of a request except its body. */
export type Plain = Record<'params' | 'query' | 'headers', Record<string, string>>;

/** A request that is ready to send. */
export interface Request {
  call: Call;
  place: Place;
  draft: Draft;
  /** The intended path parameters, query and headers; undefined if a trick changes them. */
  plain: Plain | undefined;
}

/** Weights of calls with zero, one, two … mutations and tricks. */
export interface Manners {
  mutations: number[];
  tricks: number[];
}

/** Generates calls of the operations, and fewer of those without input. */
export function calls(manners: Manners, among = operations): fc.Arbitrary<Call> {
  const choices = among.map((operation) => ({
    weight: parts.some((part) => operation[part] !== undefined) ? 6 : 1,
    arbitrary: callsOf(operation, manners),
  }));
  return fc.oneof(...choices);
}

function callsOf(operation: OperationSpec, manners: Manners): fc.Arbitrary<Call> {
  const own = parts.filter((part) => operation[part] !== undefined);
  const present = own.length === 0 ? parts : own;
  const mutation = fc.record({ part: fc.constantFrom(...present), mutation: mutations });
  return fc.record({
    tenant: weighted([fc.constant(0), 5], [fc.constant(1), 1]),
    operation: fc.constant(operation),
    input: fc.record(
      Object.fromEntries(parts.map((part) => [part, inputs(operation, part)])),
    ) as fc.Arbitrary<Record<Part, Tree>>,
    mutations: some(mutation, manners.mutations),
    tricks: some(fc.constantFrom(...tricks), manners.tricks),
    prefersAsync:
      operation.run === 'direct'
        ? fc.constant(false)
        : weighted([fc.constant(false), 2], [fc.constant(true), 1]),
  });
}

/** Lists of one length or another, each as often as its place in `weights` says; smaller ones are shorter. */
function some<T>(one: fc.Arbitrary<T>, weights: number[]): fc.Arbitrary<T[]> {
  const lists = weights.map((weight, length) => ({
    weight,
    arbitrary: fc.array(one, { minLength: length, maxLength: length }),
  }));
  return fc.oneof({ withCrossShrink: true }, ...lists);
}

/** Fills a call from what was seen, changes what it wants changed, and frames it. */
export function requestOf(call: Call, pool: Pool, tokens: readonly string[]): Request {
  const { operation, tenant } = call;
  const place: Place = { tenant, operation: operation.id, scope: undefined };
  const input = (part: Part) => changedInput(call, pool, part, place);
  const given = namedOf(input('params'));
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, given[name] ?? '']));
  const query = namedOf(input('query'));
  const headers = mapValues(namedOf(input('headers')), headerValue);
  const body = operation.body && Buffer.from(textOf(input('body')));
  const search = new URLSearchParams(query).toString();
  const draft: Draft = {
    method: operation.method,
    segments: operation.path
      .split('/')
      .slice(1)
      .map((segment) => fillSegment(segment, params)),
    search: search === '' ? '' : `?${search}`,
    target: undefined,
    headers: [
      ['Host', 'localhost'],
      ['Authorization', `Bearer ${tokens[tenant]}`],
      ...(body === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
      ...(call.prefersAsync ? [['Prefer', 'respond-async'] as [string, string]] : []),
      ...Object.entries(headers),
    ],
    body,
    missingBytes: 0,
    chunked: false,
    endsEarly: false,
  };
  for (const trick of call.tricks) trick.apply(draft);
  const isPlain = call.tricks.length === 0;
  return { call, place, draft, plain: isPlain ? { params, query, headers } : undefined };
}

function changedInput(
  { operation, input, mutations: changes }: Call,
  pool: Pool,
  part: Part,
  place: Place,
): Tree {
  const shape = shapeOf(operation, part);
  const resolved = pool.resolve(input[part], place);
  if (shape === undefined) return resolved;
  const own = changes.filter((change) => change.part === part);
  return own.reduce((tree, { mutation }) => mutate(tree, shape, mutation), resolved);
}

/** Longest value outside a body, in code points: a request line and its headers have a bound of their own. */
const maxNamed = 800;

function mapValues(
  values: Record<string, string>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Fields of an input that travels as text, each name once. */
function namedOf(tree: Tree): Record<string, string> {
  if (!(tree instanceof Fields)) return {};
  const entries = tree.entries.filter(([name]) => /^[\w-]+$/.test(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, shortened(plainOf(value))]));
}

function shortened(text: string): string {
  return [...text.slice(0, 4 * maxNamed)].slice(0, maxNamed).join('').toWellFormed();
}

/** Whether a value is valid in a header; surrounding white space is not part of a header value. */
function headerValue(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '?').trim();
}

function fillSegment(segment: string, params: Record<string, string>): string {
  return segment.replace(/^\{(\w+)\}$/, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
}
