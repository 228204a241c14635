import { admission } from './channel.ts';

/** A compared entry; `score` is the cosine similarity. */
export interface Near {
  artifactKey: number;
  entryId: string;
  score: number;
}

/** Keeps the best of many, and all that equal the last of them: which of those come first is for their ids to say. */
export class Nearest {
  readonly #limit: number;
  #kept: Near[] = [];
  #least = admission;
  #cutAt: number;

  constructor(limit: number) {
    this.#limit = limit;
    this.#cutAt = 4 * limit;
  }

  /** Takes an entry if it may be one of the best. */
  offer(near: Near): void {
    if (near.score < this.#least) return;
    this.#kept.push(near);
    if (this.#kept.length < this.#cutAt) return;
    this.#cut();
    // A cut spares equals: after any fixed number of entries, it would go over all of them again and again.
    this.#cutAt = Math.max(4 * this.#limit, 2 * this.#kept.length);
  }

  /** In no order that counts. */
  all(): Near[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    this.#kept.sort((left, right) => right.score - left.score);
    const last = this.#kept[this.#limit - 1];
    if (last === undefined) return;
    this.#least = Math.max(admission, last.score);
    this.#kept = this.#kept.filter(({ score }) => score >= this.#least);
  }
}
