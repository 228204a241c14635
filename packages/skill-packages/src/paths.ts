import { maxPathBytes, maxPathComponents } from '@continuity/contract/skill-format';

/** Names that are forbidden as a component, folded. */
const forbiddenComponents = new Set(['.env', '.git', 'node_modules']);

const control = /\p{Cc}/u;

/** Whether a text holds a control character, line feeds included. */
export function holdsControl(text: string): boolean {
  return control.test(text);
}

/** Says in words why a path may not be in a package (spec 40 §5.2, `invalid_path`), or returns undefined. */
export function findPathProblem(path: string): string | undefined {
  // The bound comes first: normalizing a long run of combining marks takes quadratic time.
  if (Buffer.byteLength(path) > maxPathBytes) return `has more than ${maxPathBytes} bytes`;
  if (holdsControl(path)) return 'holds a control character';
  if (path.includes('\\')) return 'holds a backslash';
  if (path.includes(':')) return 'holds a colon';
  if (path.startsWith('/')) return 'is absolute';
  const components = path.split('/');
  if (components.length > maxPathComponents) return `has more than ${maxPathComponents} components`;
  if (components.some((component) => component === '' || component === '.' || component === '..')) {
    return 'has a component that is empty, `.` or `..`';
  }
  if (components.some((component) => /[. ]$/.test(component))) {
    return 'has a component that ends with a dot or a space';
  }
  if (path.normalize('NFC') !== path) return 'is not in Unicode NFC';
  return undefined;
}

/** Whether a component of the path may be in no package, such as `.git`. */
export function hasForbiddenComponent(path: string): boolean {
  return path.split('/').some((component) => forbiddenComponents.has(foldPath(component)));
}

/** Folds a path or component, so that paths which some file system takes for one are equal (spec 40 §5.2). */
export function foldPath(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase();
}
