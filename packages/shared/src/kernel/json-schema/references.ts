import type { Issue } from '@continuity/contract';
import { joinPath } from '../json.ts';
import { childOf, keywordOf, type SchemaDocument, type SchemaNode } from './document.ts';

/** What `$ref` or `$dynamicRef` of a schema names, or undefined: a schema of the same document. */
export function targetOf(
  document: SchemaDocument,
  { resource }: SchemaNode,
  reference: string,
): SchemaNode | undefined {
  const fragment = decoded(reference.slice(1));
  if (fragment === undefined) return undefined;
  if (fragment === '' || fragment.startsWith('/')) return document.nodes.get(resource.pointer + fragment);
  return resource.anchors.get(fragment);
}

/** The name of the dynamic anchor through which a `$dynamicRef` finds its target; undefined where it acts as `$ref`. */
export function dynamicNameOf({ resource }: SchemaNode, reference: string): string | undefined {
  const name = decoded(reference.slice(1));
  return name !== undefined && resource.dynamicAnchors.has(name) ? name : undefined;
}

/** References to nothing, and those that lead back to where they stand with nothing of the value consumed. */
export function referenceIssues(document: SchemaDocument): Issue[] {
  const lost = [...document.nodes.values()].flatMap((node) =>
    (['$ref', '$dynamicRef'] as const).flatMap((keyword) => {
      const reference = keywordOf(node, keyword);
      if (reference === undefined || targetOf(document, node, String(reference)) !== undefined) return [];
      return [{ path: joinPath(node.path, keyword), message: 'refers to no schema of this document' }];
    }),
  );
  return lost.length > 0 ? lost : loopIssues(document);
}

/** One issue for each loop that a walk through all schemas meets; what it has left is not walked through again. */
function loopIssues(document: SchemaDocument): Issue[] {
  const anchored = dynamicTargets(document);
  const left = new Set<SchemaNode>();
  const within = new Set<SchemaNode>();
  const issues: Issue[] = [];

  function walk(node: SchemaNode): void {
    if (left.has(node)) return;
    if (within.has(node)) {
      issues.push({ path: node.path, message: 'applies itself to the same value without end' });
      return;
    }
    within.add(node);
    for (const next of appliedInPlace(document, node, anchored)) walk(next);
    within.delete(node);
    left.add(node);
  }

  for (const node of document.nodes.values()) walk(node);
  return issues;
}

/** Schemas that a schema applies to the very value that it is applied to itself. */
function appliedInPlace(
  document: SchemaDocument,
  node: SchemaNode,
  anchored: ReadonlyMap<string, SchemaNode[]>,
): Set<SchemaNode> {
  const child = (...steps: (string | number)[]) => childOf(document, node, ...steps);
  const has = (keyword: string) => keywordOf(node, keyword) !== undefined;
  const referred = (keyword: string) => {
    const reference = keywordOf(node, keyword);
    return reference === undefined ? [] : (targetOf(document, node, String(reference)) ?? []);
  };
  const name = dynamicNameOf(node, String(keywordOf(node, '$dynamicRef') ?? '#'));
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    Object.keys(keywordOf(node, keyword) ?? {}).map((index) => child(keyword, index)),
  );
  const singles = ['not', 'if', ...(has('if') ? ['then', 'else'] : [])]
    .filter(has)
    .map((keyword) => child(keyword));
  const dependent = Object.keys(keywordOf(node, 'dependentSchemas') ?? {}).map((key) =>
    child('dependentSchemas', key),
  );
  return new Set([
    ...[referred('$ref'), referred('$dynamicRef')].flat(),
    ...(name === undefined ? [] : (anchored.get(name) ?? [])),
    ...lists,
    ...singles,
    ...dependent,
  ]);
}

/** Every schema that a `$dynamicRef` may come to, by the name of its anchor. */
function dynamicTargets({ nodes }: SchemaDocument): Map<string, SchemaNode[]> {
  const targets = new Map<string, SchemaNode[]>();
  for (const resource of new Set([...nodes.values()].map((node) => node.resource))) {
    for (const [name, node] of resource.dynamicAnchors)
      targets.set(name, [...(targets.get(name) ?? []), node]);
  }
  return targets;
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
