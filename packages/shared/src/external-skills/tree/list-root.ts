import { isUtf8 } from 'node:buffer';
import { opendirSync } from 'node:fs';
import type { ListedRoot } from '../threads/tasks.ts';

const dot = '.'.charCodeAt(0);

/** Lists the directories directly below a root, without links and hidden ones (spec 40 §7). An unreadable root has none. */
export function listRoot(root: string): ListedRoot {
  const names: Buffer[] = [];
  let unreadable = 0;
  for (const name of directoryNames(root)) {
    if (name[0] === dot) continue;
    if (isUtf8(name)) names.push(name);
    else unreadable += 1;
  }
  return { names: names.sort(Buffer.compare).map((name) => name.toString()), unreadable };
}

function directoryNames(root: string): Buffer[] {
  const names: Buffer[] = [];
  try {
    const handle = opendirSync(root, { encoding: 'buffer' as BufferEncoding });
    try {
      for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
        if (entry.isDirectory()) names.push(entry.name as unknown as Buffer);
      }
    } finally {
      handle.closeSync();
    }
  } catch {
    return [];
  }
  return names;
}
