import { foldPath } from './paths.ts';

interface Taken {
  /** The path as spelled first. */
  spelling: string;
  isDirectory: boolean;
  /** Whether an entry has this very path, besides those below it. */
  isEntry: boolean;
}

/** The paths of a package. Finds paths that collide on some file system. */
export class PathSet {
  readonly #taken = new Map<string, Taken>();

  /** Adds a path without a trailing slash. Returns false if it collides with one that was added before (spec 40 §5.2). */
  add(path: string, isDirectory: boolean): boolean {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (!this.#take({ spelling: path.slice(0, slash), isDirectory: true, isEntry: false })) return false;
    }
    return this.#take({ spelling: path, isDirectory, isEntry: true });
  }

  #take(path: Taken): boolean {
    const key = foldPath(path.spelling);
    const known = this.#taken.get(key);
    if (known === undefined) {
      this.#taken.set(key, path);
      return true;
    }
    if (!known.isDirectory || !path.isDirectory || known.spelling !== path.spelling) return false;
    if (known.isEntry && path.isEntry) return false;
    known.isEntry ||= path.isEntry;
    return true;
  }
}
