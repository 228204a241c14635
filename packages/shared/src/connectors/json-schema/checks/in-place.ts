import { isJsonObject } from '@continuity/kernel/json';
import { EvaluatedKeys, type SchemaNode } from '../evaluation.ts';
import { dynamicAnchorOf, resolveReference } from '../references.ts';
import { childOf, childrenOf, type Keyword, type MakeCheck, requireParsed } from './keyword.ts';

/** Keywords that apply schemas to the value itself. */
export const inPlaceChecks: Record<string, MakeCheck> = {
  $ref: (keyword) => {
    const target = targetOf(keyword);
    return (value, evaluation, evaluated) => evaluation.apply(target, value, evaluated);
  },

  $dynamicRef: (keyword) => {
    const target = targetOf(keyword);
    const anchor = dynamicAnchorOf(keyword.node, String(keyword.value));
    return (value, evaluation, evaluated) => {
      const outermost = anchor === undefined ? undefined : evaluation.findDynamicTarget(anchor);
      return evaluation.apply(outermost ?? target, value, evaluated);
    };
  },

  allOf: ({ node }) => {
    const schemas = [...childrenOf(node, 'allOf').values()];
    return (value, evaluation, evaluated) =>
      evaluation.every(schemas, (schema) => evaluation.apply(schema, value, evaluated));
  },

  dependentSchemas: ({ node }) => {
    const schemas = [...childrenOf(node, 'dependentSchemas')];
    return (value, evaluation, evaluated) =>
      !isJsonObject(value) ||
      evaluation.every(
        schemas,
        ([name, schema]) => !Object.hasOwn(value, String(name)) || evaluation.apply(schema, value, evaluated),
      );
  },

  anyOf: ({ node, failure }) => {
    const schemas = [...childrenOf(node, 'anyOf').values()];
    return (value, evaluation, evaluated) => {
      let isValid = false;
      for (const schema of schemas) {
        if (evaluation.matches(schema, value, evaluated)) isValid = true;
        // Further schemas matter only for the keys that they evaluate.
        if (isValid && evaluated === null) break;
      }
      return isValid || evaluation.fail(failure);
    };
  },

  oneOf: ({ node, failure }) => {
    const schemas = [...childrenOf(node, 'oneOf').values()];
    return (value, evaluation, evaluated) => {
      const own = evaluated && new EvaluatedKeys();
      let matches = 0;
      for (const schema of schemas) {
        if (evaluation.matches(schema, value, own)) matches += 1;
        if (matches > 1) break;
      }
      if (matches !== 1) return evaluation.fail(failure);
      if (own !== null) evaluated?.merge(own);
      return true;
    };
  },

  not: ({ node, failure }) => {
    const schema = requireParsed(childOf(node, 'not'));
    return (value, evaluation) => !evaluation.matches(schema, value, null) || evaluation.fail(failure);
  },

  if: ({ node }) => {
    const condition = requireParsed(childOf(node, 'if'));
    const consequence = childOf(node, 'then');
    const alternative = childOf(node, 'else');
    return (value, evaluation, evaluated) => {
      const branch = evaluation.matches(condition, value, evaluated) ? consequence : alternative;
      return branch === undefined || evaluation.apply(branch, value, evaluated);
    };
  },
};

function targetOf({ document, node, value }: Keyword): SchemaNode {
  return requireParsed(resolveReference(document, node, String(value)));
}
