import { canonicalJson, type JsonValue } from '@continuity/kernel/json';

/** A set of JSON values. Two values are equal if their canonical JSON is. */
export class JsonSet {
  readonly #scalars = new Set<JsonValue>();
  /** Canonical JSON of arrays and objects. */
  readonly #others = new Set<string>();

  constructor(values: JsonValue[]) {
    for (const value of values) this.add(value);
  }

  get size(): number {
    return this.#scalars.size + this.#others.size;
  }

  add(value: JsonValue): void {
    if (isScalar(value)) this.#scalars.add(value);
    else this.#others.add(canonicalJson(value));
  }

  has(value: JsonValue): boolean {
    if (isScalar(value)) return this.#scalars.has(value);
    return this.#others.size > 0 && this.#others.has(canonicalJson(value));
  }
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== 'object' || value === null;
}
