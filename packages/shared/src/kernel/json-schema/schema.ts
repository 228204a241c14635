import {
  registerSchema,
  setShouldValidateSchema,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12';
import './exact-keywords.ts';
import type { Issue } from '@continuity/contract';
import type { JsonValue } from '../json.ts';
import { describeMisfit } from './describe-misfit.ts';
import { readDocument } from './document.ts';
import { dialect } from './keywords.ts';
import { referenceIssues } from './references.ts';
import { translate } from './translate.ts';

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

/** More issues than this help nobody. */
const maxIssues = 20;

let schemasRead = 0;

// `readDocument` has done that, and what it passes on is written in another way.
setShouldValidateSchema(false);

/**
 * Reads a JSON Schema 2020-12 of a caller. Nothing is fetched, and nothing of it becomes code: the validator interprets it.
 * Throws `SchemaRefused` for one that is not valid, refers to anything outside of itself or to nothing, applies itself to
 * one value without end, or holds a pattern that cannot be run in linear time. `path` is what the issues call the schema.
 */
export async function readSchema(schema: JsonValue, path: string): Promise<JsonSchema> {
  const { document, issues } = readDocument(schema, path);
  const all = issues.length > 0 ? issues : referenceIssues(document);
  if (all.length > 0) throw new SchemaRefused(all);
  schemasRead += 1;
  const uri = `https://schemas.invalid/${schemasRead}`;
  const translated = translate(document, uri);
  // What the validator makes of it refers to nothing that is registered: the next one may have all the room.
  registerSchema(translated.schema, uri, dialect);
  const isValid = await validate(uri).finally(() => unregisterSchema(uri));
  return {
    issuesOf: (value, start) => {
      // Whether it fits is asked by itself: nearly all values do, and to note what does not fit takes room.
      if (isValid(value, 'FLAG').valid) return [];
      const output = isValid(value, 'BASIC');
      const errors = output.valid ? [] : (output.errors ?? []);
      return errors.slice(0, maxIssues).map((error) => describeMisfit(error, translated, start));
    },
  };
}
