import { canonicalJson, type JsonValue } from '@continuity/kernel/json';
import type { Check, EvaluatedKeys, SchemaNode } from '../evaluation.ts';
import { keywordOf } from '../parse.ts';
import { assertion, childOf, childrenOf, type Keyword, type MakeCheck, requireParsed } from './keyword.ts';

/** A set of JSON values. Two values are equal if their canonical JSON is. */
export class JsonSet {
  readonly #scalars = new Set<JsonValue>();
  /** Canonical JSON of arrays and objects. */
  readonly #others = new Set<string>();

  constructor(values: JsonValue[]) {
    for (const value of values) this.add(value);
  }

  get size(): number {
    return this.#scalars.size + this.#others.size;
  }

  add(value: JsonValue): void {
    if (isScalar(value)) this.#scalars.add(value);
    else this.#others.add(canonicalJson(value));
  }

  has(value: JsonValue): boolean {
    if (isScalar(value)) return this.#scalars.has(value);
    return this.#others.size > 0 && this.#others.has(canonicalJson(value));
  }
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}

/** Keywords of arrays. */
export const arrayChecks: Record<string, MakeCheck> = {
  prefixItems: ({ node }) => {
    const schemas = childrenOf(node, 'prefixItems');
    return forItems((index) => schemas.get(index));
  },

  items: ({ node }) => {
    const schema = requireParsed(childOf(node, 'items'));
    const start = childrenOf(node, 'prefixItems').size;
    return forItems((index) => (index < start ? undefined : schema));
  },

  unevaluatedItems: ({ node }) => {
    const schema = requireParsed(childOf(node, 'unevaluatedItems'));
    return forItems((index, evaluated) => (evaluated?.has(index) ? undefined : schema));
  },

  contains: ({ node, failure }) => {
    const schema = requireParsed(childOf(node, 'contains'));
    const least = Number(keywordOf(node, 'minContains') ?? 1);
    const most = Number(keywordOf(node, 'maxContains') ?? Number.POSITIVE_INFINITY);
    return (value, evaluation, evaluated) => {
      if (!Array.isArray(value)) return true;
      let matches = 0;
      for (const [index, item] of value.entries()) {
        if (!evaluation.matches(schema, item, null)) continue;
        matches += 1;
        evaluated?.add(index);
      }
      return (matches >= least && matches <= most) || evaluation.fail(failure);
    };
  },

  maxItems: (keyword) => ofArrays(keyword, (value) => value.length <= Number(keyword.value)),
  minItems: (keyword) => ofArrays(keyword, (value) => value.length >= Number(keyword.value)),
  uniqueItems: (keyword) =>
    ofArrays(keyword, (value) => keyword.value === false || new JsonSet(value).size === value.length),
};

/** Applies a schema to each item of an array, chosen by index. Items with a schema are evaluated. */
function forItems(
  schemaFor: (index: number, evaluated: EvaluatedKeys | null) => SchemaNode | undefined,
): Check {
  return (value, evaluation, evaluated) => {
    if (!Array.isArray(value)) return true;
    return evaluation.every(value.entries(), ([index, item]) => {
      const schema = schemaFor(index, evaluated);
      if (schema === undefined) return true;
      evaluated?.add(index);
      return evaluation.applyToChild(schema, index, item);
    });
  };
}

function ofArrays(keyword: Keyword, holds: (value: JsonValue[]) => boolean): Check {
  return assertion(keyword, (value) => !Array.isArray(value) || holds(value));
}
