import type { Issue } from '../errors/service-error.ts';
import { type JsonValue, joinPath } from '../json.ts';
import type { SchemaResource } from './document.ts';

/** Looks at a value; tells the run what is wrong with it, and `seen` which of its parts it has looked into. */
export type Check = (value: JsonValue, run: Run, seen: Seen | null) => boolean;

/** A schema that is ready to be applied. */
export interface Rule {
  checks: Check[];
  resource: SchemaResource;
}

/** Parts of one object or array that schemas have looked into: what `unevaluatedProperties` and `unevaluatedItems` leave alone. */
export class Seen {
  readonly properties = new Set<string>();
  readonly items = new Set<number>();

  add({ properties, items }: Seen): void {
    for (const name of properties) this.properties.add(name);
    for (const index of items) this.items.add(index);
  }
}

/** More issues than this help nobody. */
const maxIssues = 20;

/** One application of a schema to a value. */
export class Run {
  readonly issues: Issue[] = [];
  /** The resources that lead here, outermost first: where a `$dynamicRef` looks. */
  readonly resources: SchemaResource[] = [];
  readonly #path: PropertyKey[] = [];
  readonly #start: string;
  readonly #notesSeen: boolean;
  #trials = 0;

  constructor(start: string, notesSeen: boolean) {
    this.#start = start;
    this.#notesSeen = notesSeen;
  }

  /** Notes what is wrong with the value at hand; false, so that a check can return it. */
  fail(message: string): false {
    if (this.#wantsMore) {
      this.issues.push({ path: this.#path.reduce<string>(joinPath, this.#start), message });
    }
    return false;
  }

  apply(rule: Rule, value: JsonValue, seen: Seen | null): boolean {
    const { resources } = this;
    const isEntered = resources.at(-1) !== rule.resource;
    if (isEntered) resources.push(rule.resource);
    const own = this.#notesSeen ? new Seen() : null;
    let isValid = true;
    for (const check of rule.checks) {
      if (check(value, this, own)) continue;
      isValid = false;
      if (!this.#wantsMore) break;
    }
    if (isEntered) resources.pop();
    if (isValid && own !== null) seen?.add(own);
    return isValid;
  }

  /** As `apply`, for a part of the value at hand. */
  applyInside(rule: Rule, key: PropertyKey, value: JsonValue): boolean {
    this.#path.push(key);
    const isValid = this.apply(rule, value, null);
    this.#path.pop();
    return isValid;
  }

  /** As `apply`, where it is no fault if the value does not fit. */
  try(rule: Rule, value: JsonValue, seen: Seen | null): boolean {
    this.#trials += 1;
    const fits = this.apply(rule, value, seen);
    this.#trials -= 1;
    return fits;
  }

  get #wantsMore(): boolean {
    return this.#trials === 0 && this.issues.length < maxIssues;
  }
}
