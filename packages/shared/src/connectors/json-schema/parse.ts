import type { Issue } from '@continuity/contract';
import { isJsonObject, type JsonObject, type JsonValue, joinPath } from '@continuity/kernel/json';
import { quoteTruncated } from '@continuity/kernel/text';
import type { ChildKey, SchemaNode, SchemaResource } from './evaluation.ts';
import { findFormProblem, type KeywordForm, keywordForms } from './keywords.ts';
import { compilePattern, type LinearPattern, UnsupportedPatternError } from './patterns.ts';

/** All schemas of a document. Values of `enum`, `const` and annotations are data and hold no schemas. */
export interface SchemaDocument {
  root: SchemaNode;
  /** By pointer. */
  nodes: ReadonlyMap<string, SchemaNode>;
  /** Patterns of all keywords, by their source. */
  patterns: ReadonlyMap<string, LinearPattern>;
}

/** Finds the schemas of a document, and reports every keyword whose value is not valid. References are not checked. */
export function parseDocument(
  schema: JsonValue,
  path: string,
): { document: SchemaDocument; issues: Issue[] } {
  const issues: Issue[] = [];
  const nodes = new Map<string, SchemaNode>();
  const patterns = new Map<string, LinearPattern>();

  function visit(
    value: JsonValue,
    pointer: string,
    at: string,
    outer: SchemaResource | undefined,
  ): SchemaNode {
    if (typeof value !== 'boolean' && !isJsonObject(value)) {
      issues.push({ path: at, message: 'must be a schema: an object or a boolean' });
      return visit(true, pointer, at, outer);
    }
    const resource = outer === undefined || hasId(value) ? newResource(pointer) : outer;
    const node = newNode(value, pointer, at, resource);
    nodes.set(pointer, node);
    if (isJsonObject(value)) for (const entry of Object.entries(value)) visitKeyword(node, ...entry);
    return node;
  }

  function visitKeyword(node: SchemaNode, keyword: string, value: JsonValue): void {
    const form = keywordForms.get(keyword);
    if (form === undefined) return;
    const path = joinPath(node.path, keyword);
    const problem = findFormProblem(form, value);
    if (problem !== undefined) {
      issues.push({ path, message: problem });
      return;
    }
    if (form === 'anchor') addAnchor(node, keyword, String(value), path);
    if (form === 'pattern') addPattern(String(value), path);
    const children = subschemas(form, value);
    if (form === 'schemas by pattern') for (const [source] of children) addPattern(String(source), path);
    if (children.length > 0) node.children.set(keyword, visitChildren(node, keyword, children));
  }

  function visitChildren(node: SchemaNode, keyword: string, children: [ChildKey, JsonValue][]) {
    const pointer = pointerTo(node.pointer, keyword);
    const path = joinPath(node.path, keyword);
    const visited = children.map(([key, child]): [ChildKey, SchemaNode] => [
      key,
      key === null
        ? visit(child, pointer, path, node.resource)
        : visit(child, pointerTo(pointer, key), joinPath(path, key), node.resource),
    ]);
    return new Map(visited);
  }

  function addAnchor(node: SchemaNode, keyword: string, name: string, path: string): void {
    const { anchors, dynamicAnchors } = node.resource;
    const other = anchors.get(name);
    if (other !== undefined && other !== node) issues.push({ path, message: 'is already in use' });
    anchors.set(name, node);
    if (keyword === '$dynamicAnchor') dynamicAnchors.set(name, node);
  }

  function addPattern(source: string, path: string): void {
    if (patterns.has(source)) return;
    try {
      patterns.set(source, compilePattern(source));
    } catch (error) {
      if (!(error instanceof UnsupportedPatternError)) throw error;
      issues.push({ path, message: `the pattern ${quoteTruncated(source)} ${error.message}` });
    }
  }

  const root = visit(schema, '', path, undefined);
  return { document: { root, nodes, patterns }, issues };
}

/** The value of a keyword, or undefined. Only own properties are keywords: `constructor` is not one of every schema. */
export function keywordOf({ schema }: SchemaNode, keyword: string): JsonValue | undefined {
  return typeof schema === 'object' && Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
}

function newNode(
  schema: JsonObject | boolean,
  pointer: string,
  path: string,
  resource: SchemaResource,
): SchemaNode {
  return { schema, pointer, path, resource, children: new Map(), checks: [], unevaluatedChecks: [] };
}

function newResource(pointer: string): SchemaResource {
  return { pointer, anchors: new Map(), dynamicAnchors: new Map() };
}

function hasId(schema: JsonObject | boolean): boolean {
  if (typeof schema === 'boolean' || !Object.hasOwn(schema, '$id')) return false;
  const id = schema['$id'];
  return typeof id === 'string' && id.replace(/#$/, '') !== '';
}

/** The schemas in the value of a keyword, with the name or index of each. */
function subschemas(form: KeywordForm, value: JsonValue): [ChildKey, JsonValue][] {
  switch (form) {
    case 'schema':
      return [[null, value]];
    case 'schemas':
      return [...(value as JsonValue[]).entries()];
    case 'schemas by name':
    case 'schemas by pattern':
      return Object.entries(value as JsonObject);
    case 'schemas or names by name':
      return Object.entries(value as JsonObject).filter(([, inner]) => !Array.isArray(inner));
    default:
      return [];
  }
}

/** Appends a step to a JSON Pointer. */
function pointerTo(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
