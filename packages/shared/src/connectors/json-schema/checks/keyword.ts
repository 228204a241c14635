import type { JsonValue } from '@continuity/kernel/json';
import type { Check, ChildKey, SchemaNode } from '../evaluation.ts';
import type { SchemaDocument } from '../parse.ts';

/** One keyword of a schema. Its value has the form that the keyword demands, and its references resolve. */
export interface Keyword {
  document: SchemaDocument;
  node: SchemaNode;
  value: JsonValue;
  /** Says that a value does not satisfy the keyword. */
  failure: string;
}

/** Makes the check of a keyword. */
export type MakeCheck = (keyword: Keyword) => Check;

/** The check of a keyword that depends on nothing but the value. */
export function assertion({ failure }: Keyword, holds: (value: JsonValue) => boolean): Check {
  return (value, evaluation) => holds(value) || evaluation.fail(failure);
}

/** Subschemas of a keyword by name or index; none if the schema does not have the keyword. */
export function childrenOf(node: SchemaNode, keyword: string): ReadonlyMap<ChildKey, SchemaNode> {
  return node.children.get(keyword) ?? new Map();
}

/** The subschema of a keyword that holds one schema; undefined if the schema does not have the keyword. */
export function childOf(node: SchemaNode, keyword: string): SchemaNode | undefined {
  return node.children.get(keyword)?.get(null);
}

/** Returns a value that parsing guarantees. Throws if it is missing. */
export function requireParsed<T>(one: T | undefined): T {
  if (one === undefined) throw new Error('A schema was not parsed before it is compiled.');
  return one;
}
