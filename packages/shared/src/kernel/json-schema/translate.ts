import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import {
  childOf,
  keywordOf,
  type SchemaDocument,
  type SchemaNode,
  type SchemaResource,
  schemasIn,
} from './document.ts';
import { type KeywordShape, keywordShapes } from './keywords.ts';
import { dynamicNameOf, targetOf } from './references.ts';

/** A document as the validator takes it: one schema, and by URI those in it that open a resource. */
export interface TranslatedDocument {
  schema: JsonObject | boolean;
  resources: ReadonlyMap<string, JsonObject>;
}

/** Keywords whose schemas are there to be referred to, or not to be applied. */
const unapplied = new Set(['$defs', 'definitions', 'dependencies', 'contentSchema']);

/** Shapes of keywords that decide nothing, or that are told in another way here. */
const leftOut: ReadonlySet<KeywordShape> = new Set(['anchor', 'dialect', 'id', 'vocabulary']);
const annotations = new Set([
  '$comment',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
  'format',
  'contentEncoding',
  'contentMediaType',
]);

/**
 * The document with names of our own for all that is referred to, under the URI `base`: a caller's `$id` stands for nothing
 * outside of its document, no anchor is called like a property that every object has, and what is data, in `enum` and
 * `const`, is text, in which nothing can be taken for a keyword.
 */
export function translate(document: SchemaDocument, base: string): TranslatedDocument {
  const resources = new Map<string, JsonObject>();
  const uris = new Map<SchemaResource, string>([[document.root.resource, base]]);
  const anchors = anchorsOf(document);

  const uriOf = (resource: SchemaResource): string => {
    const uri = uris.get(resource) ?? `${base}/${uris.size}`;
    uris.set(resource, uri);
    return uri;
  };

  const refer = (node: SchemaNode, reference: string): string => {
    const target = targetOf(document, node, reference);
    if (target === undefined) throw new Error('A reference was not looked at before it was translated.');
    return `${uriOf(target.resource)}#${anchors.get(target) ?? ''}`;
  };

  function visit(node: SchemaNode): JsonObject | boolean {
    const anchor = anchors.get(node);
    if (typeof node.schema === 'boolean') {
      return anchor === undefined ? node.schema : { $anchor: anchor, allOf: [node.schema] };
    }
    const translated: JsonObject = { ...namesOf(node, anchor), ...applied(node, node.schema) };
    const definitions = definitionsOf(node, node.schema);
    if (definitions.length > 0) translated['$defs'] = Object.fromEntries(definitions.entries());
    if (node.resource.pointer === node.pointer) resources.set(uriOf(node.resource), translated);
    return translated;
  }

  function namesOf(node: SchemaNode, anchor: string | undefined): JsonObject {
    const dynamicAnchor = [...node.resource.dynamicAnchors].find(([, anchored]) => anchored === node)?.[0];
    return {
      ...(node.resource.pointer === node.pointer && node !== document.root && { $id: uriOf(node.resource) }),
      ...(anchor !== undefined && { $anchor: anchor }),
      ...(dynamicAnchor !== undefined && { $dynamicAnchor: dynamicName(dynamicAnchor) }),
    };
  }

  /** The keywords that decide something. */
  function applied(node: SchemaNode, schema: JsonObject): JsonObject {
    const keywords: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) {
      const shape = keywordShapes.get(keyword);
      if (shape === undefined || leftOut.has(shape) || annotations.has(keyword) || unapplied.has(keyword))
        continue;
      keywords[keyword] = translateValue(node, keyword, shape, value);
    }
    return keywords;
  }

  /** The schemas that only references lead to. */
  function definitionsOf(node: SchemaNode, schema: JsonObject): JsonValue[] {
    return Object.entries(schema)
      .filter(([keyword]) => unapplied.has(keyword))
      .flatMap(([keyword, value]) =>
        schemasIn(keywordShapes.get(keyword) ?? 'any', value).map(([steps]) =>
          visit(childOf(document, node, keyword, ...steps)),
        ),
      );
  }

  function translateValue(
    node: SchemaNode,
    keyword: string,
    shape: KeywordShape,
    value: JsonValue,
  ): JsonValue {
    const child = (...steps: (string | number)[]) => visit(childOf(document, node, keyword, ...steps));
    switch (shape) {
      case 'reference': {
        const name = keyword === '$dynamicRef' ? dynamicNameOf(node, String(value)) : undefined;
        return name === undefined ? refer(node, String(value)) : `#${dynamicName(name)}`;
      }
      case 'any':
        return canonicalJson(value);
      case 'array':
        return [...new Set((value as JsonValue[]).map(canonicalJson))];
      case 'schema':
        return child();
      case 'schemas':
        return (value as JsonValue[]).map((_, index) => child(index));
      case 'schemas by name':
      case 'schemas by pattern':
        return Object.fromEntries(Object.keys(value as JsonObject).map((name) => [name, child(name)]));
      default:
        return value;
    }
  }

  return { schema: visit(document.root), resources };
}

const dynamicName = (name: string): string => `dynamic-${name}`;

/** A name for each schema that a reference leads to. */
function anchorsOf(document: SchemaDocument): Map<SchemaNode, string> {
  const anchors = new Map<SchemaNode, string>();
  for (const node of document.nodes.values()) {
    for (const keyword of ['$ref', '$dynamicRef']) {
      const target = targetOf(document, node, String(keywordOf(node, keyword) ?? '#'));
      if (target !== undefined) anchors.set(target, anchors.get(target) ?? `node-${anchors.size}`);
    }
  }
  return anchors;
}
