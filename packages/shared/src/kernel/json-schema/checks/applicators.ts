import type { JsonObject, JsonValue } from '../../json.ts';
import type { SchemaNode } from '../document.ts';
import { compilePattern } from '../patterns.ts';
import type { Check, Rule } from '../run.ts';
import { isObject } from '../shape-problem.ts';

/** What a keyword that applies other schemas is made from. */
export interface Surroundings {
  /** The value of the keyword. */
  value: JsonValue;
  /** The value of another keyword of the same schema. */
  sibling(keyword: string): JsonValue | undefined;
  /** The schema at some steps below the keyword; of another keyword of the same schema with `siblingRule`. */
  rule(...steps: (string | number)[]): Rule;
  siblingRule(keyword: string): Rule;
  /** What the reference in the value names. */
  target(): Rule;
  /** The name under which a `$dynamicRef` looks further out first, and how a schema that it finds is applied. */
  dynamicName(): string | undefined;
  ruleOf(node: SchemaNode): Rule;
}

type Applicator = (at: Surroundings) => Check;

/** Keywords that apply other schemas, to the value itself or to its parts. */
export const applicators: ReadonlyMap<string, Applicator> = new Map(
  Object.entries<Applicator>({
    $ref: (at) => {
      const rule = at.target();
      return (one, run, seen) => run.apply(rule, one, seen);
    },
    $dynamicRef: (at) => {
      const target = at.target();
      const name = at.dynamicName();
      return (one, run, seen) => {
        const outermost = name && run.resources.find((resource) => resource.dynamicAnchors.has(name));
        const node = outermost ? outermost.dynamicAnchors.get(name) : undefined;
        return run.apply(node === undefined ? target : at.ruleOf(node), one, seen);
      };
    },

    allOf: (at) => {
      const rules = rulesOf(at);
      return (one, run, seen) => rules.map((rule) => run.apply(rule, one, seen)).every(Boolean);
    },
    // All of them are tried, because each that fits says what it has looked into.
    anyOf: (at) => {
      const rules = rulesOf(at);
      return (one, run, seen) =>
        rules.filter((rule) => run.try(rule, one, seen)).length > 0 ||
        run.fail('fits none of the schemas of anyOf');
    },
    oneOf: (at) => {
      const rules = rulesOf(at);
      return (one, run, seen) => {
        const fitting = rules.filter((rule) => run.try(rule, one, seen)).length;
        return fitting === 1 || run.fail(`must fit one schema of oneOf, and fits ${fitting}`);
      };
    },
    not: (at) => {
      const rule = at.rule();
      return (one, run) => !run.try(rule, one, null) || run.fail('fits the schema of not');
    },
    if: (at) => {
      const condition = at.rule();
      const [yes, no] = ['then', 'else'].map((keyword) =>
        at.sibling(keyword) === undefined ? undefined : at.siblingRule(keyword),
      );
      return (one, run, seen) => {
        const chosen = run.try(condition, one, seen) ? yes : no;
        return chosen === undefined || run.apply(chosen, one, seen);
      };
    },
    dependentSchemas: (at) => {
      const dependent = Object.keys(at.value as JsonObject).map((name) => [name, at.rule(name)] as const);
      return (one, run, seen) =>
        !isObject(one) ||
        dependent
          .filter(([name]) => Object.hasOwn(one, name))
          .map(([, rule]) => run.apply(rule, one, seen))
          .every(Boolean);
    },

    properties: (at) => {
      const rules = new Map(Object.keys(at.value as JsonObject).map((name) => [name, at.rule(name)]));
      return forProperties((name) => rules.get(name));
    },
    patternProperties: (at) => {
      const checks = Object.keys(at.value as JsonObject).map((source) => {
        const pattern = compilePattern(source);
        const rule = at.rule(source);
        return forProperties((name) => (pattern.test(name) ? rule : undefined));
      });
      return (one, run, seen) => checks.map((check) => check(one, run, seen)).every(Boolean);
    },
    additionalProperties: (at) => {
      const rule = at.rule();
      const names = new Set(Object.keys(at.sibling('properties') ?? {}));
      const patterns = Object.keys(at.sibling('patternProperties') ?? {}).map(compilePattern);
      return forProperties((name) =>
        names.has(name) || patterns.some((pattern) => pattern.test(name)) ? undefined : rule,
      );
    },
    unevaluatedProperties: (at) => {
      const rule = at.rule();
      return (one, run, seen) =>
        forProperties((name) => (seen?.properties.has(name) ? undefined : rule))(one, run, seen);
    },
    propertyNames: (at) => {
      const rule = at.rule();
      return (one, run) =>
        !isObject(one) ||
        Object.keys(one)
          .map(
            (name) =>
              run.try(rule, name, null) || run.fail(`must not have a property named ${JSON.stringify(name)}`),
          )
          .every(Boolean);
    },

    prefixItems: (at) => {
      const rules = rulesOf(at);
      return forItems((index) => rules[index]);
    },
    items: (at) => {
      const rule = at.rule();
      const first = ((at.sibling('prefixItems') ?? []) as JsonValue[]).length;
      return forItems((index) => (index < first ? undefined : rule));
    },
    unevaluatedItems: (at) => {
      const rule = at.rule();
      return (one, run, seen) =>
        forItems((index) => (seen?.items.has(index) ? undefined : rule))(one, run, seen);
    },
    contains: (at) => {
      const rule = at.rule();
      const least = Number(at.sibling('minContains') ?? 1);
      const most = Number(at.sibling('maxContains') ?? Number.POSITIVE_INFINITY);
      return (one, run, seen) => {
        if (!Array.isArray(one)) return true;
        const fitting = [...one.keys()].filter((index) => run.try(rule, one[index] ?? null, null));
        for (const index of fitting) seen?.items.add(index);
        const isWithin = fitting.length >= least && fitting.length <= most;
        return isWithin || run.fail(`has ${fitting.length} items that fit the schema of contains`);
      };
    },
  }),
);

/** Keywords that ask what the others have looked into, and therefore come last. */
export const lastApplicators = ['unevaluatedProperties', 'unevaluatedItems'];

function rulesOf({ value, rule }: Surroundings): Rule[] {
  return (value as JsonValue[]).map((_, index) => rule(index));
}

function forProperties(ruleFor: (name: string) => Rule | undefined): Check {
  return (one, run, seen) => {
    if (!isObject(one)) return true;
    let isValid = true;
    for (const [name, value] of Object.entries(one)) {
      const rule = ruleFor(name);
      if (rule === undefined) continue;
      if (!run.applyInside(rule, name, value)) isValid = false;
      seen?.properties.add(name);
    }
    return isValid;
  };
}

function forItems(ruleFor: (index: number) => Rule | undefined): Check {
  return (one, run, seen) => {
    if (!Array.isArray(one)) return true;
    let isValid = true;
    for (const [index, value] of one.entries()) {
      const rule = ruleFor(index);
      if (rule === undefined) continue;
      if (!run.applyInside(rule, index, value)) isValid = false;
      seen?.items.add(index);
    }
    return isValid;
  };
}
