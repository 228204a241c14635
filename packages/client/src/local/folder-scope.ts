import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { homeFolder } from './user-state.ts';

/** Longest id of a Scope, in characters. */
const maxScopeCharacters = 256;

/**
 * The Scope of a folder (spec 70 §2.6): `project:` and the name of the Git root above it, else of the folder. A worktree counts as the
 * repository that it belongs to only by its own name. Undefined for the root of a file system.
 */
export class FolderScopes {
  readonly #known = new Map<string, string | undefined>();

  scopeOf(folder: string): string | undefined {
    if (!this.#known.has(folder)) this.#known.set(folder, projectScope(folder));
    return this.#known.get(folder);
  }
}

/** The Scope of the Git repository that a folder is in; undefined outside of one. */
export function repositoryScope(folder: string): string | undefined {
  const root = gitRoot(folder);
  return root === undefined ? undefined : projectScope(root);
}

function projectScope(folder: string): string | undefined {
  const name = baseName(gitRoot(folder) ?? folder);
  return name === '' ? undefined : boundedScope(`project:${name}`);
}

/** A session may come from another system, so both separators count. */
function baseName(folder: string): string {
  return basename(folder.replaceAll('\\', '/').replace(/\/+$/, ''));
}

function gitRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** An id of a Scope, cut to its limit. */
export function boundedScope(id: string): string {
  return [...id].slice(0, maxScopeCharacters).join('');
}

/** A path with `~` for the home folder. */
export function withTilde(path: string, home: string | undefined = homeFolder()): string {
  if (home === undefined || home === sep) return path;
  if (path === home) return '~';
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
