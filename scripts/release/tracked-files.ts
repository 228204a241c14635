import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.ts';

const git = (args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/** Files of the commit below a folder, as paths from the root, sorted. What only lies in the checkout is none. */
export function trackedFiles(folder: string): string[] {
  return git(['ls-files', '-z', '--', folder]).split('\0').filter(Boolean).toSorted();
}

/** Paths that differ from the commit. */
export function changedFiles(): string[] {
  return git(['status', '--porcelain', '--untracked-files=normal']).split('\n').filter(Boolean);
}

/** Time of the commit in seconds, which all archives have as the time of their files; SOURCE_DATE_EPOCH where it is set. */
export function releaseTime(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given === undefined || given === '') return Number(git(['log', '-1', '--format=%ct']));
  if (!/^\d{1,10}$/.test(given)) throw new Error('SOURCE_DATE_EPOCH is no number of seconds.');
  return Number(given);
}

/** Copies the files of the commit below a folder into the folder `target`, and returns their paths in it. */
export function copyTracked(folder: string, target: string): string[] {
  return trackedFiles(folder).map((path) => {
    const name = path.slice(folder.length + 1);
    mkdirSync(dirname(join(target, name)), { recursive: true });
    cpSync(join(root, path), join(target, name));
    return name;
  });
}
