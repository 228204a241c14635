import type { Issue } from '@continuity/contract';
import { joinPath } from '@continuity/kernel/json';
import type { SchemaNode } from './evaluation.ts';
import { keywordOf, type SchemaDocument } from './parse.ts';

/** The schema that a `$ref` or `$dynamicRef` of `node` refers to; undefined if the document has no such schema. */
export function resolveReference(
  document: SchemaDocument,
  { resource }: SchemaNode,
  reference: string,
): SchemaNode | undefined {
  const fragment = decodeFragment(reference);
  if (fragment === undefined) return undefined;
  if (fragment === '' || fragment.startsWith('/')) return document.nodes.get(resource.pointer + fragment);
  return resource.anchors.get(fragment);
}

/** The dynamic anchor that a `$dynamicRef` of `node` refers to; undefined if the reference behaves like `$ref`. */
export function dynamicAnchorOf({ resource }: SchemaNode, reference: string): string | undefined {
  const name = decodeFragment(reference);
  return name !== undefined && resource.dynamicAnchors.has(name) ? name : undefined;
}

/** Finds references to nothing, and loops of references that consume nothing of the value. */
export function findReferenceIssues(document: SchemaDocument): Issue[] {
  const unresolved = [...document.nodes.values()].flatMap((node) =>
    (['$ref', '$dynamicRef'] as const).flatMap((keyword) => {
      const reference = keywordOf(node, keyword);
      if (reference === undefined || resolveReference(document, node, String(reference))) return [];
      return [{ path: joinPath(node.path, keyword), message: 'refers to no schema of this document' }];
    }),
  );
  return unresolved.length > 0 ? unresolved : findLoops(document);
}

/** Depth-first search for schemas that apply themselves to the same value. Reports one issue for each loop that it meets. */
function findLoops(document: SchemaDocument): Issue[] {
  const anchored = dynamicTargets(document);
  const finished = new Set<SchemaNode>();
  const ancestors = new Set<SchemaNode>();
  const issues: Issue[] = [];

  function walk(node: SchemaNode): void {
    if (finished.has(node)) return;
    if (ancestors.has(node)) {
      issues.push({ path: node.path, message: 'applies itself to the same value without end' });
      return;
    }
    ancestors.add(node);
    for (const next of inPlaceSchemas(document, node, anchored)) walk(next);
    ancestors.delete(node);
    finished.add(node);
  }

  for (const node of document.nodes.values()) walk(node);
  return issues;
}

/** Keywords whose subschemas apply to the same value as the schema itself. */
const inPlaceKeywords = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas'];

/** The schemas that `node` applies to its own value. */
function inPlaceSchemas(
  document: SchemaDocument,
  node: SchemaNode,
  anchored: ReadonlyMap<string, SchemaNode[]>,
): Set<SchemaNode> {
  const keywords = node.children.has('if') ? [...inPlaceKeywords, 'then', 'else'] : inPlaceKeywords;
  const references = ['$ref', '$dynamicRef'].flatMap((keyword) => {
    const reference = keywordOf(node, keyword);
    return reference === undefined ? [] : (resolveReference(document, node, String(reference)) ?? []);
  });
  const dynamicReference = keywordOf(node, '$dynamicRef');
  const name = dynamicReference === undefined ? undefined : dynamicAnchorOf(node, String(dynamicReference));
  return new Set([
    ...keywords.flatMap((keyword) => [...(node.children.get(keyword)?.values() ?? [])]),
    ...references,
    ...(name === undefined ? [] : (anchored.get(name) ?? [])),
  ]);
}

/** All schemas that a `$dynamicRef` may resolve to, by dynamic anchor. */
function dynamicTargets({ nodes }: SchemaDocument): Map<string, SchemaNode[]> {
  const targets = new Map<string, SchemaNode[]>();
  for (const resource of new Set([...nodes.values()].map((node) => node.resource))) {
    for (const [name, node] of resource.dynamicAnchors) {
      targets.set(name, [...(targets.get(name) ?? []), node]);
    }
  }
  return targets;
}

/** The decoded fragment of a reference of the form `#…`; undefined if it is not valid. */
function decodeFragment(reference: string): string | undefined {
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return undefined;
  }
}
