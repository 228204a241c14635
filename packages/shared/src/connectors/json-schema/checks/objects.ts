import { isJsonObject, type JsonObject, type JsonValue } from '@continuity/kernel/json';
import { quoteTruncated } from '@continuity/kernel/text';
import type { Check, EvaluatedKeys, SchemaNode } from '../evaluation.ts';
import { assertion, childOf, childrenOf, type Keyword, type MakeCheck, requireParsed } from './keyword.ts';

/** Keywords of objects. A property is one by its own name: `constructor` and `__proto__` are not special. */
export const objectChecks: Record<string, MakeCheck> = {
  properties: ({ node }) => {
    const schemas = childrenOf(node, 'properties');
    return forProperties((name) => {
      const schema = schemas.get(name);
      return schema === undefined ? [] : [schema];
    });
  },

  patternProperties: (keyword) => {
    const schemas = patternsOf(keyword);
    return forProperties((name) =>
      schemas.filter(({ pattern }) => pattern.test(name)).map(({ schema }) => schema),
    );
  },

  additionalProperties: (keyword) => {
    const schema = requireParsed(childOf(keyword.node, 'additionalProperties'));
    const names = childrenOf(keyword.node, 'properties');
    const patterns = patternsOf(keyword);
    return forProperties((name) =>
      names.has(name) || patterns.some(({ pattern }) => pattern.test(name)) ? [] : [schema],
    );
  },

  unevaluatedProperties: ({ node }) => {
    const schema = requireParsed(childOf(node, 'unevaluatedProperties'));
    return forProperties((name, evaluated) => (evaluated?.has(name) ? [] : [schema]));
  },

  propertyNames: ({ node }) => {
    const schema = requireParsed(childOf(node, 'propertyNames'));
    return (value, evaluation) => {
      if (!isJsonObject(value)) return true;
      const wrong = Object.keys(value).find((name) => !evaluation.matches(schema, name, null));
      return (
        wrong === undefined ||
        evaluation.fail(
          `has the property ${quoteTruncated(wrong)}, whose name does not satisfy propertyNames`,
        )
      );
    };
  },

  maxProperties: (keyword) =>
    ofObjects(keyword, (value) => Object.keys(value).length <= Number(keyword.value)),
  minProperties: (keyword) =>
    ofObjects(keyword, (value) => Object.keys(value).length >= Number(keyword.value)),

  required: (keyword) => {
    const names = keyword.value as string[];
    return ofObjects(keyword, (value) => names.every((name) => Object.hasOwn(value, name)));
  },

  dependentRequired: (keyword) => {
    const dependencies = Object.entries(keyword.value as Record<string, string[]>);
    return ofObjects(keyword, (value) =>
      dependencies.every(
        ([name, names]) => !Object.hasOwn(value, name) || names.every((other) => Object.hasOwn(value, other)),
      ),
    );
  },
};

/** The patterns of `patternProperties` with their schemas. */
function patternsOf({ document, node }: Keyword) {
  return [...childrenOf(node, 'patternProperties')].map(([source, schema]) => ({
    pattern: requireParsed(document.patterns.get(String(source))),
    schema,
  }));
}

/** Applies schemas to the properties of an object, chosen by name. Properties with at least one schema are evaluated. */
function forProperties(schemasFor: (name: string, evaluated: EvaluatedKeys | null) => SchemaNode[]): Check {
  return (value, evaluation, evaluated) => {
    if (!isJsonObject(value)) return true;
    return evaluation.every(Object.keys(value), (name) => {
      const schemas = schemasFor(name, evaluated);
      if (schemas.length > 0) evaluated?.add(name);
      return evaluation.every(schemas, (schema) =>
        evaluation.applyToChild(schema, name, value[name] as JsonValue),
      );
    });
  };
}

function ofObjects(keyword: Keyword, holds: (value: JsonObject) => boolean): Check {
  return assertion(keyword, (value) => !isJsonObject(value) || holds(value));
}
