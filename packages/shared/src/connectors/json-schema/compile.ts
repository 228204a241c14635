import type { Issue } from '@continuity/contract';
import type { JsonValue } from '@continuity/kernel/json';
import { arrayChecks } from './checks/arrays.ts';
import { inPlaceChecks } from './checks/in-place.ts';
import type { MakeCheck } from './checks/keyword.ts';
import { objectChecks } from './checks/objects.ts';
import { valueChecks } from './checks/values.ts';
import { Evaluation } from './evaluation.ts';
import { parseDocument, type SchemaDocument } from './parse.ts';
import { findReferenceIssues } from './references.ts';

/** A JSON Schema that is not valid or not supported, with everything that was found. */
export class InvalidSchemaError extends Error {
  override name = 'InvalidSchemaError';
  readonly issues: Issue[];

  constructor(issues: Issue[]) {
    super(issues.map(({ path, message }) => `${path} ${message}`).join('; '));
    this.issues = issues;
  }
}

/** Validates values against a JSON Schema. */
export interface Validator {
  /** The first 20 issues of a value; none if it is valid. `path` is how the issues name the value. */
  validate(value: JsonValue, path: string): Issue[];
}

/**
 * Makes a validator of a JSON Schema 2020-12 that a caller wrote. It fetches nothing, and interprets the schema instead of
 * generating code from it. Throws `InvalidSchemaError` for a schema that is not valid, refers to something that is not in it,
 * applies itself to one value without end, or has a pattern that RE2 cannot run. `path` is how the issues name the schema.
 */
export function compileSchema(schema: JsonValue, path: string): Validator {
  const { document, issues } = parseDocument(schema, path);
  const all = issues.length > 0 ? issues : findReferenceIssues(document);
  if (all.length > 0) throw new InvalidSchemaError(all);
  addChecks(document);
  const { root } = document;
  return {
    validate: (value, start) => {
      // Most values are valid, and finding only that out is faster than collecting issues.
      if (new Evaluation(start, null).apply(root, value, null)) return [];
      const found: Issue[] = [];
      new Evaluation(start, found).apply(root, value, null);
      return found;
    },
  };
}

const makers: ReadonlyMap<string, MakeCheck> = new Map(
  Object.entries({ ...inPlaceChecks, ...valueChecks, ...objectChecks, ...arrayChecks }),
);

const unevaluated = new Set(['unevaluatedProperties', 'unevaluatedItems']);

/** Adds to each schema the checks of its keywords, in their order. */
function addChecks(document: SchemaDocument): void {
  for (const node of document.nodes.values()) {
    if (typeof node.schema === 'boolean') {
      if (!node.schema) node.checks.push((_value, evaluation) => evaluation.fail('must not be present'));
      continue;
    }
    for (const [name, value] of Object.entries(node.schema)) {
      const check = makers.get(name)?.({ document, node, value, failure: describeFailure(name, value) });
      if (check !== undefined) (unevaluated.has(name) ? node.unevaluatedChecks : node.checks).push(check);
    }
  }
}

/** Values of keywords are part of a message up to this length, in characters. */
const maxValueLength = 200;

function describeFailure(name: string, value: JsonValue): string {
  const json = isPlain(value) ? ` ${JSON.stringify(value)}` : '';
  return `does not satisfy ${name}${json.length > maxValueLength ? '' : json}`;
}

/** True for scalars and lists of them. Schemas in a message would be noise. */
function isPlain(value: JsonValue): boolean {
  return [value].flat().every((item) => typeof item !== 'object' || item === null);
}
