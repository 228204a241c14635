import type { Manifest } from './types.ts';

type File = Manifest['files'][number];

/** A file of the proposed package, the current one, or both. */
export interface FileChange {
  path: string;
  kind: 'added' | 'removed' | 'changed' | 'mode' | 'same';
  file: File;
  /** In the current package. */
  before: File | undefined;
  isExecutable: boolean;
}

/** One tree of two manifests, by digest: executables first, then by path. */
export function compareManifests(after: Manifest, before: Manifest | undefined): FileChange[] {
  const old = new Map(before?.files.map((file) => [file.path, file]));
  const changes = after.files.map((file): FileChange => {
    const earlier = old.get(file.path);
    old.delete(file.path);
    return {
      path: file.path,
      kind: kindOf(file, earlier),
      file,
      before: earlier,
      isExecutable: file.executable,
    };
  });
  const removed = [...old.values()].map(
    (file): FileChange => ({ path: file.path, kind: 'removed', file, before: file, isExecutable: false }),
  );
  const rank = ({ isExecutable }: FileChange) => (isExecutable ? 0 : 1);
  return [...changes, ...removed].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
}

function kindOf(file: File, before: File | undefined): FileChange['kind'] {
  if (before === undefined) return 'added';
  if (before.digest !== file.digest) return 'changed';
  return before.executable === file.executable ? 'same' : 'mode';
}

/** "Opened" belongs to path and digest, so that a new version keeps it. */
export const openedKey = ({ path, file: { digest } }: FileChange): string => JSON.stringify([path, digest]);

/** Executables that are new or changed. */
export const riskyFiles = (changes: FileChange[]): FileChange[] =>
  changes.filter(({ isExecutable, kind }) => isExecutable && kind !== 'same' && kind !== 'removed');
