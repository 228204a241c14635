import { readlinkSync } from 'node:fs';

/** The path that a path below the descriptor of an open folder names. */
export function pathOf(path: unknown): string {
  return String(path).replace(/^\/proc\/self\/fd\/\d+/, (folder) => readlinkSync(folder));
}
