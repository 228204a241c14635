import type { Issue } from '@continuity/contract';
import { type JsonObject, type JsonValue, joinPath } from '@continuity/kernel/json';

/** True if a value satisfies a keyword. Adds the properties or items that the keyword evaluated to `evaluated`. */
export type Check = (value: JsonValue, evaluation: Evaluation, evaluated: EvaluatedKeys | null) => boolean;

/** A schema inside a document, or its root. */
export interface SchemaNode {
  schema: JsonObject | boolean;
  /** JSON Pointer from the root of the document. */
  pointer: string;
  /** Its place as issues name it. */
  path: string;
  resource: SchemaResource;
  /** Subschemas by keyword. */
  children: Map<string, ReadonlyMap<ChildKey, SchemaNode>>;
  checks: Check[];
  /** Checks of `unevaluatedProperties` and `unevaluatedItems`, which run after all others. */
  unevaluatedChecks: Check[];
}

/** The name or index of a subschema within its keyword; null if the keyword holds one schema. */
export type ChildKey = string | number | null;

/** A schema resource: the root or a schema with an `$id`, and all schemas in it. References resolve within a resource. */
export interface SchemaResource {
  /** Pointer of the root of the resource. */
  pointer: string;
  anchors: Map<string, SchemaNode>;
  dynamicAnchors: Map<string, SchemaNode>;
}

/** The properties or items of one value that schemas were applied to, for `unevaluatedProperties` and `unevaluatedItems`. */
export class EvaluatedKeys {
  readonly #keys = new Set<string | number>();

  has(key: string | number): boolean {
    return this.#keys.has(key);
  }

  add(key: string | number): void {
    this.#keys.add(key);
  }

  merge(other: EvaluatedKeys): void {
    for (const key of other.#keys) this.#keys.add(key);
  }
}

/** Limit of issues of one evaluation. */
const maxIssues = 20;

/** One evaluation of a value: the place in the value, the dynamic scope and the issues found so far. */
export class Evaluation {
  /** Null while only the outcome matters. */
  #issues: Issue[] | null;
  readonly #start: string;
  readonly #keys: (string | number)[] = [];
  /** The dynamic scope: resources that were entered, outermost first. */
  readonly #resources: SchemaResource[] = [];

  /** `start` is the path of the value; `issues` receives what is wrong with it. */
  constructor(start: string, issues: Issue[] | null) {
    this.#start = start;
    this.#issues = issues;
  }

  /** True if the value satisfies the schema. The schema's evaluated keys are added to `evaluated` if it does. */
  apply(schema: SchemaNode, value: JsonValue, evaluated: EvaluatedKeys | null): boolean {
    const isEntered = this.#resources.at(-1) !== schema.resource;
    if (isEntered) this.#resources.push(schema.resource);
    const own = schema.unevaluatedChecks.length > 0 ? new EvaluatedKeys() : evaluated;
    const holds = (check: Check) => check(value, this, own);
    const isValid = this.every(schema.checks, holds) && this.every(schema.unevaluatedChecks, holds);
    if (isValid && own !== null && own !== evaluated) evaluated?.merge(own);
    if (isEntered) this.#resources.pop();
    return isValid;
  }

  /** As `apply`, without issues: a value that does not satisfy the schema is not an error by itself. */
  matches(schema: SchemaNode, value: JsonValue, evaluated: EvaluatedKeys | null): boolean {
    const issues = this.#issues;
    this.#issues = null;
    const own = evaluated && new EvaluatedKeys();
    const isValid = this.apply(schema, value, own);
    if (isValid && own !== null) evaluated?.merge(own);
    this.#issues = issues;
    return isValid;
  }

  /** As `apply`, for a property or an item of the current value. */
  applyToChild(schema: SchemaNode, key: string | number, child: JsonValue): boolean {
    this.#keys.push(key);
    const isValid = this.apply(schema, child, null);
    this.#keys.pop();
    return isValid;
  }

  /** Reports the current value, and returns false. */
  fail(message: string): false {
    if (this.#issues !== null && this.#issues.length < maxIssues) {
      this.#issues.push({ path: this.#keys.reduce<string>(joinPath, this.#start), message });
    }
    return false;
  }

  /** True if all items hold. Continues after a failure only to find further issues. */
  every<Item>(items: Iterable<Item>, holds: (item: Item) => boolean): boolean {
    let isValid = true;
    for (const item of items) {
      if (holds(item)) continue;
      isValid = false;
      if (this.#issues === null || this.#issues.length >= maxIssues) break;
    }
    return isValid;
  }

  /** The schema with a dynamic anchor in the outermost resource that has one. */
  findDynamicTarget(anchor: string): SchemaNode | undefined {
    return this.#resources
      .find(({ dynamicAnchors }) => dynamicAnchors.has(anchor))
      ?.dynamicAnchors.get(anchor);
  }
}
