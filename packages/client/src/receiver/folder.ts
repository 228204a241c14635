import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants, existsSync, type Stats } from 'node:fs';
import {
  chmod,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rmdir,
  unlink,
} from 'node:fs/promises';
import { join } from 'node:path';
import { ignore, UnexpectedEntryError } from './errors.ts';

/**
 * Linux names the entries of an open folder below its descriptor: such a path leads into the folder that was opened, wherever it was moved
 * to, and whatever has its old name. Node has no `openat`.
 */
const descriptors = process.platform === 'linux' && existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined;

/** Opens without following a link, and without waiting for the writer of a FIFO. */
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const createOnly = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

const temporarySuffix = '.tmp';
/** Limit of a file of the Receiver, in bytes. The largest is a journal of a few KiB. */
const maxTextBytes = 1_048_576;

/**
 * An open folder that belongs to the user of this process. Its methods take the names of entries, never paths, and follow no link. On
 * Linux, they reach the folder through its descriptor, so that nobody can redirect them by moving or replacing a folder. On other
 * platforms, they use its path.
 */
export class Folder {
  /** Path when it was opened, for people. */
  readonly path: string;
  readonly status: Stats;
  readonly #base: string;
  readonly #handle: FileHandle | undefined;

  private constructor(path: string, status: Stats, handle: FileHandle | undefined) {
    requireOwn(path, status);
    this.path = path;
    this.status = status;
    this.#base = handle === undefined ? path : `${descriptors}/${handle.fd}`;
    this.#handle = handle;
  }

  /** Opens a folder. Throws `UnexpectedEntryError` for anything else, and for a folder of another user. */
  static async open(at: string, path = at): Promise<Folder> {
    if (descriptors === undefined) {
      const status = await lstat(at);
      if (!status.isDirectory()) throw notFolder(path);
      return new Folder(path, status, undefined);
    }
    const handle = await open(at, readOnly | constants.O_DIRECTORY).catch((error: unknown) => {
      ignore('ENOTDIR', 'ELOOP')(error);
      throw notFolder(path);
    });
    try {
      return new Folder(path, await handle.stat(), handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  /** Where the opened folder is by now; undefined where the platform does not tell. */
  descriptorPath(): string | undefined {
    return this.#handle === undefined ? undefined : this.#base;
  }

  /** Opens a folder below this one; undefined if nothing has the name. Throws as `open` does. */
  async find(name: string): Promise<Folder | undefined> {
    return await this.#at(name, (path) => Folder.open(path, join(this.path, name))).catch(ignore('ENOENT'));
  }

  /** Opens a folder below this one, which it creates if nothing has the name. Throws as `open` does. */
  async make(name: string, mode = 0o777): Promise<Folder> {
    await this.#at(name, (path) => mkdir(path, { mode })).catch(ignore('EEXIST'));
    return await this.#at(name, (path) => Folder.open(path, join(this.path, name)));
  }

  async chmod(mode: number): Promise<void> {
    if (this.#handle === undefined) await chmod(this.path, mode);
    else await this.#handle.chmod(mode);
  }

  /** Makes earlier creations, renames and removals in this folder durable. */
  async sync(): Promise<void> {
    // Windows cannot open folders, and its file systems journal renames.
    if (process.platform === 'win32') return;
    const handle = this.#handle ?? (await open(this.path, constants.O_RDONLY));
    try {
      await handle.sync();
    } finally {
      if (handle !== this.#handle) await handle.close();
    }
  }

  /** The names of all entries, sorted. */
  async list(): Promise<string[]> {
    return (await this.#at('', (path) => readdir(path))).toSorted();
  }

  /** Status of an entry, a link included; undefined if nothing has the name. */
  async statusOf(name: string): Promise<BigIntStats | undefined> {
    return await this.#at(name, (path) => lstat(path, { bigint: true })).catch(ignore('ENOENT'));
  }

  /** Opens a regular file to read it. Throws `UnexpectedEntryError` for anything else, such as a link, a FIFO or a device. */
  async openFile(name: string): Promise<FileHandle> {
    return await this.#at(name, async (path) => {
      // Opening a device can act on it, so its kind is looked at first.
      if (!(await lstat(path)).isFile()) throw notFile(join(this.path, name));
      const handle = await open(path, readOnly);
      if ((await handle.stat()).isFile()) return handle;
      await handle.close();
      throw notFile(join(this.path, name));
    });
  }

  /** Creates a file. Throws `EEXIST` if anything has the name. */
  async createFile(name: string, mode: number): Promise<FileHandle> {
    return await this.#at(name, (path) => open(path, createOnly, mode));
  }

  /** Reads a regular file of at most 1 MiB; undefined if nothing has the name. Throws `UnexpectedEntryError` for anything else. */
  async readText(name: string): Promise<{ text: string; status: Stats } | undefined> {
    const handle = await this.openFile(name).catch(ignore('ENOENT'));
    if (handle === undefined) return undefined;
    try {
      const status = await handle.stat();
      const { path } = this;
      if (status.size > maxTextBytes) {
        throw new UnexpectedEntryError(
          `${join(path, name)} has ${status.size} bytes, and at most ${maxTextBytes} are read. Remove it.`,
        );
      }
      return { text: await handle.readFile('utf8'), status };
    } finally {
      await handle.close();
    }
  }

  /** Replaces a file at once and durably; only its owner can read it. If `beforeRename` throws, the old file stays. */
  async writeDurably(name: string, text: string, beforeRename: () => Promise<void>): Promise<void> {
    const temporary = `${name}.${randomBytes(6).toString('hex')}${temporarySuffix}`;
    try {
      const handle = await this.createFile(temporary, 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await beforeRename();
      await this.rename(temporary, this, name);
    } catch (error) {
      await this.unlink(temporary);
      throw error;
    }
    await this.sync();
  }

  /** Removes the temporary files that killed processes left here, if their names begin with the prefix. */
  async removeTemporaryFiles(prefix = ''): Promise<void> {
    for (const name of await this.list()) {
      const isTemporary = name.startsWith(prefix) && name.endsWith(temporarySuffix);
      if (isTemporary) await this.unlink(name).catch(ignore('EISDIR', 'EPERM'));
    }
  }

  /** Gives a file a second name. Throws `EEXIST` if anything has it. */
  async link(name: string, second: string): Promise<void> {
    await this.#at(name, (path) => link(path, join(this.#base, second)));
  }

  async rename(name: string, to: Folder, toName: string): Promise<void> {
    await this.#at(name, (path) => to.#at(toName, (target) => rename(path, target)));
  }

  /** Removes a file, if it exists. */
  async unlink(name: string): Promise<void> {
    await this.#at(name, unlink).catch(ignore('ENOENT'));
  }

  /** Removes a folder if it exists and is empty. Returns whether it is gone. */
  async removeIfEmpty(name: string): Promise<boolean> {
    try {
      await this.#at(name, rmdir);
      return true;
    } catch (error) {
      ignore('ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')(error);
      return false;
    }
  }

  /** Removes an entry with everything below it, if it exists. */
  async removeTree(name: string): Promise<void> {
    const status = await this.statusOf(name);
    if (status === undefined) return;
    if (!status.isDirectory()) return await this.unlink(name);
    const folder = await this.find(name);
    if (folder === undefined) return;
    try {
      // Nothing can be removed from a read-only folder.
      if ((folder.status.mode & 0o300) !== 0o300) await folder.chmod(0o700);
      for (const entry of await folder.list()) await folder.removeTree(entry);
    } finally {
      await folder.close();
    }
    await this.removeIfEmpty(name);
  }

  /** Calls a function with the path of an entry. Errors name the entry as people know it. */
  async #at<Result>(name: string, work: (path: string) => Promise<Result>): Promise<Result> {
    try {
      return await work(join(this.#base, name));
    } catch (error) {
      if (error instanceof Error) error.message = error.message.replaceAll(`${this.#base}/`, `${this.path}/`);
      throw error;
    }
  }
}

/** Throws `UnexpectedEntryError` for a folder of another user, who could replace what is in it. */
function requireOwn(path: string, { uid }: Stats): void {
  const user = process.geteuid?.();
  if (user === undefined || uid === user) return;
  throw new UnexpectedEntryError(
    `${path} belongs to the user ${uid}, and this process runs as the user ${user}. Run the Receiver as the owner of the project.`,
  );
}

const notFolder = (path: string) =>
  new UnexpectedEntryError(`${path} is a link or a file, and must be a folder.`);

const notFile = (path: string) => new UnexpectedEntryError(`${path} is no regular file. Move it away.`);
