import { hiddenKindsOfPaths, splitHiddenCharacters } from '@continuity/contract/hidden-characters';
import { maxPathBytes, maxPathComponents } from '@continuity/contract/skill-format';

/**
 * `new` is a package that comes to the service: an upload or an import. `stored` is one that it has admitted before, perhaps when the rules
 * for names on Windows, for hidden characters and for a second `SKILL.md` did not exist; it stays readable (spec 40 §5.2).
 */
export type Admission = 'new' | 'stored';

/** Names that are forbidden as a component, folded. */
const forbiddenComponents = new Set(['.env', '.git', 'node_modules']);

const control = /\p{Cc}/u;

/** Whether a text holds a control character, line feeds included. */
export function hasControlCharacter(text: string): boolean {
  return control.test(text);
}

/** Devices of Windows, with any extension: a host with Windows cannot create a file of such a name. */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9¹²³])\s*(?:\.|$)/i;

/** Says in words why a path may not be in a package (spec 40 §5.2, `invalid_path`), or returns undefined. */
export function findPathProblem(path: string, admission: Admission): string | undefined {
  return findBasicProblem(path) ?? (admission === 'new' ? findUnportableName(path) : undefined);
}

/** Says in words why a component cannot be the folder of a package, or returns undefined. */
export function findFolderProblem(component: string): string | undefined {
  return (
    findBasicProblem(component) ??
    (hasForbiddenComponent(component) ? 'is not allowed in packages' : undefined)
  );
}

function findBasicProblem(path: string): string | undefined {
  // The bound comes first: normalizing a long run of combining marks takes quadratic time.
  const bytes = Buffer.byteLength(path);
  if (bytes > maxPathBytes) return `has ${bytes} bytes, more than ${maxPathBytes}`;
  if (hasControlCharacter(path)) return 'holds a control character';
  if (path.includes('\\')) return 'holds a backslash';
  if (path.includes(':')) return 'holds a colon';
  if (path.startsWith('/')) return 'is absolute';
  const components = path.split('/');
  if (components.length > maxPathComponents)
    return `has ${components.length} components, more than ${maxPathComponents}`;
  if (components.some((component) => component === '' || component === '.' || component === '..')) {
    return 'has a component that is empty, `.` or `..`';
  }
  if (components.some((component) => /[. ]$/.test(component))) {
    return 'has a component that ends with a dot or a space';
  }
  if (path.normalize('NFC') !== path) return 'is not in Unicode NFC';
  return undefined;
}

/** What keeps a Windows host from creating the path, or a reviewer from seeing it. */
function findUnportableName(path: string): string | undefined {
  const forbidden = /[<>"|?*]/.exec(path)?.[0];
  if (forbidden !== undefined) return `holds ${forbidden}, which Windows does not allow in names`;
  const components = path.split('/');
  if (components.some((component) => windowsDevice.test(component))) {
    return 'has a component that is the name of a device on Windows';
  }
  for (const part of splitHiddenCharacters(path)) {
    if (part.hidden && hiddenKindsOfPaths.has(part.kind))
      return `holds ${part.code}, which readers cannot see`;
  }
  if (components.some((component) => /\s$/.test(component))) return 'has a component that ends with a blank';
  return undefined;
}

/** Whether the path has a component that no package may have, such as `.git`. */
export function hasForbiddenComponent(path: string): boolean {
  return path.split('/').some((component) => forbiddenComponents.has(foldPath(component)));
}

/** Folds a path or component. Paths that collide on some file system fold to the same text (spec 40 §5.2). */
export function foldPath(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase();
}

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
