import * as Browser from '@hyperjump/browser';
import {
  addKeyword,
  type Keyword,
  type SchemaDocument,
  Validation,
  type ValidationContext,
} from '@hyperjump/json-schema/experimental';
import * as Instance from '@hyperjump/json-schema/instance/experimental';
import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject } from '../json.ts';
import { isMultipleOf } from './multiple-of.ts';
import { compilePattern } from './patterns.ts';

// Keywords of the validator that are replaced: patterns run in linear time, property names mean nothing but themselves
// (`constructor` is no property of every object), equality is that of canonical JSON, and multiples are exact.

type Context = ValidationContext & { evaluatedProperties?: Set<string> };

type Schema = Browser.Browser<SchemaDocument>;

/** Schemas by name. What is inside of a schema's document is of it too; the types of the package do not say so. */
const schemasIn = (schema: Schema) => Browser.entries(schema) as AsyncGenerator<[string, Schema]>;

/** The name of a keyword to the validator. */
const keywordUri = (name: string): string => `https://json-schema.org/keyword/${name}`;

const replace = <Compiled>(name: string, keyword: Omit<Keyword<Compiled, Context>, 'id'>): void =>
  addKeyword({ id: keywordUri(name), ...keyword } as Keyword<Compiled>);

replace('const', {
  compile: async (schema) => Browser.value<string>(schema),
  interpret: (expected, instance) => canonicalJson(Instance.value(instance)) === expected,
});

replace('enum', {
  compile: async (schema) => new Set(Browser.value<string[]>(schema)),
  interpret: (expected, instance) => expected.has(canonicalJson(Instance.value(instance))),
});

replace('multipleOf', {
  compile: async (schema) => Browser.value<number>(schema),
  interpret: (divisor, instance) =>
    Instance.typeOf(instance) !== 'number' || isMultipleOf(Instance.value(instance), divisor),
});

replace('pattern', {
  compile: async (schema) => compilePattern(Browser.value(schema)),
  interpret: (pattern, instance) =>
    Instance.typeOf(instance) !== 'string' || pattern.test(Instance.value(instance)),
});

replace('properties', {
  simpleApplicator: true,
  compile: async (schema, ast) => {
    const rules = new Map<string, string>();
    for await (const [name, inner] of schemasIn(schema))
      rules.set(name, await Validation.compile(inner, ast, inner));
    return rules;
  },
  interpret: (rules, instance, context) =>
    applyToProperties(instance, context, (name) => {
      const rule = rules.get(name);
      return rule === undefined ? [] : [rule];
    }),
});

replace('patternProperties', {
  simpleApplicator: true,
  compile: async (schema, ast) => {
    const rules: { pattern: ReturnType<typeof compilePattern>; rule: string }[] = [];
    for await (const [source, inner] of schemasIn(schema)) {
      rules.push({ pattern: compilePattern(source), rule: await Validation.compile(inner, ast, inner) });
    }
    return rules;
  },
  interpret: (rules, instance, context) =>
    applyToProperties(instance, context, (name) =>
      rules.filter(({ pattern }) => pattern.test(name)).map(({ rule }) => rule),
    ),
});

replace('additionalProperties', {
  simpleApplicator: true,
  compile: async (schema, ast, parent) => {
    const { properties = {}, patternProperties = {} } =
      Browser.value<Record<string, JsonObject | undefined>>(parent);
    return {
      names: new Set(Object.keys(properties)),
      patterns: Object.keys(patternProperties).map(compilePattern),
      rule: await Validation.compile(schema, ast, parent),
    };
  },
  interpret: ({ names, patterns, rule }, instance, context) =>
    applyToProperties(instance, context, (name) =>
      names.has(name) || patterns.some((pattern) => pattern.test(name)) ? [] : [rule],
    ),
});

/** Applies to each property of an object the schemas that its name calls for, and notes which had any. */
function applyToProperties(
  instance: Instance.JsonNode,
  context: Context,
  rulesFor: (name: string) => string[],
): boolean {
  if (Instance.typeOf(instance) !== 'object') return true;
  let isValid = true;
  for (const [name, property] of Instance.entries(instance)) {
    const key = Instance.value<string>(name);
    const rules = rulesFor(key);
    for (const rule of rules) {
      if (!Validation.interpret(rule, property, context)) isValid = false;
    }
    if (rules.length > 0) context.evaluatedProperties?.add(key);
  }
  return isValid;
}
