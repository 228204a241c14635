import type { Issue } from '@continuity/contract';
import { type JsonObject, type JsonValue, joinPath } from '../json.ts';
import { type KeywordShape, keywordShapes } from './keywords.ts';
import { isObject, shapeProblem } from './shape-problem.ts';

/** A schema inside a document, or the document itself. */
export interface SchemaNode {
  schema: JsonObject | boolean;
  /** JSON Pointer from the root of the document, the form in which references name it. */
  pointer: string;
  /** Where it stands, as issues say it. */
  path: string;
  resource: SchemaResource;
}

/** A schema with an `$id`, or the document: what references in it begin from. */
export interface SchemaResource {
  /** Pointer of the schema that opens it. */
  pointer: string;
  anchors: Map<string, SchemaNode>;
  dynamicAnchors: Map<string, SchemaNode>;
}

/** All schemas of a document. What is no schema, as the values of `enum` and `const`, is in none of them. */
export interface SchemaDocument {
  root: SchemaNode;
  /** By pointer. */
  nodes: ReadonlyMap<string, SchemaNode>;
}

/** Finds the schemas in a document, and everything that is wrong with their keywords one by one. */
export function readDocument(schema: JsonValue, path: string): { document: SchemaDocument; issues: Issue[] } {
  const issues: Issue[] = [];
  const nodes = new Map<string, SchemaNode>();

  function visit(
    value: JsonValue,
    pointer: string,
    at: string,
    outer: SchemaResource | undefined,
  ): SchemaNode {
    if (typeof value !== 'boolean' && !isObject(value)) {
      issues.push({ path: at, message: 'must be a schema: an object or a boolean' });
      return visit(true, pointer, at, outer);
    }
    const resource = outer === undefined || opensResource(value) ? resourceAt(pointer) : outer;
    const node: SchemaNode = { schema: value, pointer, path: at, resource };
    nodes.set(pointer, node);
    if (typeof value === 'object') for (const entry of Object.entries(value)) visitKeyword(node, ...entry);
    return node;
  }

  function visitKeyword(node: SchemaNode, keyword: string, value: JsonValue): void {
    const shape = keywordShapes.get(keyword);
    if (shape === undefined) return;
    const path = joinPath(node.path, keyword);
    const problem = shapeProblem(shape, value);
    if (problem !== undefined) {
      issues.push({ path, message: problem });
      return;
    }
    if (shape === 'anchor') keepAnchor(node, keyword, String(value), path);
    for (const [steps, inner] of schemasIn(shape, value)) {
      const pointer = [keyword, ...steps].map((step) => `/${escaped(step)}`).join('');
      visit(inner, node.pointer + pointer, steps.reduce<string>(joinPath, path), node.resource);
    }
  }

  function keepAnchor(node: SchemaNode, keyword: string, name: string, path: string): void {
    const { anchors, dynamicAnchors } = node.resource;
    const other = anchors.get(name);
    if (other !== undefined && other !== node) issues.push({ path, message: 'is there twice' });
    anchors.set(name, node);
    if (keyword === '$dynamicAnchor') dynamicAnchors.set(name, node);
  }

  const root = visit(schema, '', path, undefined);
  return { document: { root, nodes }, issues };
}

/** The value of a keyword of the schema, or undefined; names such as `constructor` are no keywords. */
export function keywordOf({ schema }: SchemaNode, keyword: string): JsonValue | undefined {
  return typeof schema === 'object' && Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

/** The schema that stands at some steps below another one. */
export function childOf(
  { nodes }: SchemaDocument,
  node: SchemaNode,
  ...steps: (string | number)[]
): SchemaNode {
  const child = nodes.get(node.pointer + steps.map((step) => `/${escaped(step)}`).join(''));
  if (child === undefined) throw new Error('A schema was not read with its document.');
  return child;
}

function resourceAt(pointer: string): SchemaResource {
  return { pointer, anchors: new Map(), dynamicAnchors: new Map() };
}

function opensResource(schema: JsonObject | boolean): boolean {
  if (typeof schema === 'boolean' || !Object.hasOwn(schema, '$id')) return false;
  const id = schema['$id'];
  return typeof id === 'string' && id.replace(/#$/, '') !== '';
}

/** The schemas in the value of a keyword, each with the steps that lead to it. */
export function schemasIn(shape: KeywordShape, value: JsonValue): [(string | number)[], JsonValue][] {
  switch (shape) {
    case 'schema':
      return [[[], value]];
    case 'schemas':
      return (value as JsonValue[]).map((inner, index) => [[index], inner]);
    case 'schemas by name':
    case 'schemas by pattern':
      return Object.entries(value as JsonObject).map(([name, inner]) => [[name], inner]);
    case 'schemas or names by name':
      return Object.entries(value as JsonObject)
        .filter(([, inner]) => !Array.isArray(inner))
        .map(([name, inner]) => [[name], inner]);
    default:
      return [];
  }
}

function escaped(step: string | number): string {
  return String(step).replaceAll('~', '~0').replaceAll('/', '~1');
}
