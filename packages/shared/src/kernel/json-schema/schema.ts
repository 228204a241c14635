import type { Issue } from '../errors/service-error.ts';
import type { JsonValue } from '../json.ts';
import { applicators, lastApplicators, type Surroundings } from './checks/applicators.ts';
import { assertions } from './checks/assertions.ts';
import { childOf, keywordOf, readDocument, type SchemaDocument, type SchemaNode } from './document.ts';
import { dynamicNameOf, referenceIssues, targetOf } from './references.ts';
import { type Check, type Rule, Run } from './run.ts';

/** A JSON Schema that cannot be used, with all that was found. */
export class SchemaRefused extends Error {
  override name = 'SchemaRefused';
  readonly issues: Issue[];

  constructor(issues: Issue[]) {
    super(issues.map(({ path, message }) => `${path} ${message}`).join('; '));
    this.issues = issues;
  }
}

/** A JSON Schema 2020-12 that is ready for use. */
export interface JsonSchema {
  /** What is wrong with a value, up to 20 issues; none where it fits. `path` is what the issues call the value. */
  issuesOf(value: JsonValue, path: string): Issue[];
}

/**
 * Reads a JSON Schema 2020-12 of a caller. Nothing is fetched, and nothing of it becomes code: keywords become closures over
 * data, and patterns run in linear time. Throws `SchemaRefused` for one that is not valid, refers to anything outside of
 * itself or to nothing, or applies itself to one value without end. `path` is what the issues call the schema.
 *
 * An interpreter of our own, because those there are do not do for schemas that nobody has looked at: some write and run
 * code, none leaves the choice of the engine for patterns, and each takes for keywords what is data in `enum` and `const`,
 * or property names such as `__proto__` for what JavaScript means by them.
 */
export function readSchema(schema: JsonValue, path: string): JsonSchema {
  const { document, issues } = readDocument(schema, path);
  const all = issues.length > 0 ? issues : referenceIssues(document);
  if (all.length > 0) throw new SchemaRefused(all);
  const ruleOf = compile(document);
  const notesSeen = [...document.nodes.values()].some((node) =>
    lastApplicators.some((keyword) => keywordOf(node, keyword) !== undefined),
  );
  return {
    issuesOf: (value, start) => {
      const run = new Run(start, notesSeen);
      run.apply(ruleOf(document.root), value, null);
      return run.issues;
    },
  };
}

/** Makes rules of all schemas of a document: first empty ones, so that they can refer to each other. */
function compile(document: SchemaDocument): (node: SchemaNode) => Rule {
  const rules = new Map<SchemaNode, Rule>();
  for (const node of document.nodes.values()) rules.set(node, { checks: [], resource: node.resource });
  const ruleOf = (node: SchemaNode): Rule => {
    const rule = rules.get(node);
    if (rule === undefined) throw new Error('A schema was not compiled with its document.');
    return rule;
  };
  for (const [node, rule] of rules) rule.checks = checksOf(document, node, ruleOf);
  return ruleOf;
}

const nothingFits: Check = (_value, run) => run.fail('must not be there');

function checksOf(document: SchemaDocument, node: SchemaNode, ruleOf: (node: SchemaNode) => Rule): Check[] {
  if (typeof node.schema === 'boolean') return node.schema ? [] : [nothingFits];
  const isLast = (keyword: string) => lastApplicators.includes(keyword);
  const keywords = Object.keys(node.schema);
  return [...keywords.filter((one) => !isLast(one)), ...keywords.filter(isLast)].flatMap((keyword) => {
    const value = keywordOf(node, keyword) ?? null;
    const applicator = applicators.get(keyword);
    if (applicator === undefined) return assertions.get(keyword)?.(value) ?? [];
    return applicator(surroundings(document, node, keyword, value, ruleOf));
  });
}

function surroundings(
  document: SchemaDocument,
  node: SchemaNode,
  keyword: string,
  value: JsonValue,
  ruleOf: (node: SchemaNode) => Rule,
): Surroundings {
  return {
    value,
    sibling: (other) => keywordOf(node, other),
    rule: (...steps) => ruleOf(childOf(document, node, keyword, ...steps)),
    siblingRule: (other) => ruleOf(childOf(document, node, other)),
    target: () => {
      const target = targetOf(document, node, String(value));
      if (target === undefined) throw new Error('A reference was not looked at before it was compiled.');
      return ruleOf(target);
    },
    dynamicName: () => dynamicNameOf(node, String(value)),
    ruleOf,
  };
}
