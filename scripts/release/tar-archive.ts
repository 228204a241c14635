import { join } from 'node:path';
import { create } from 'tar';

/**
 * Writes a `.tgz` whose bytes depend on the files alone: sorted, with one time, without owners, and with the modes 755 and 644.
 *
 * @param files paths below `folder`
 * @param prefix folder of all files in the archive
 * @param time of all files, in seconds
 */
export async function writeTarArchive(
  path: string,
  { folder, files, prefix, time }: { folder: string; files: readonly string[]; prefix: string; time: number },
): Promise<void> {
  await create(
    {
      cwd: folder,
      file: path,
      gzip: { level: 9 },
      portable: true,
      noPax: true,
      prefix,
      mtime: new Date(time * 1000),
      filter(_path, entry) {
        const isProgram = 'mode' in entry && typeof entry.mode === 'number' && (entry.mode & 0o100) !== 0;
        Object.assign(entry, { mode: isProgram ? 0o100755 : 0o100644 });
        return true;
      },
    },
    files.map((file) => join('.', file)).toSorted(),
  );
}
