import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type AgentKind, agentFormats } from '@continuity/skill-packages/export';
import { ReceiverError, UnexpectedEntryError } from './errors.ts';
import { Folder } from './folder.ts';

/** Path of the Receivers' private state below the workspace. */
export const privateNames = ['.service', 'skill-receiver'] as const;

/** Names of the files of the Receiver of one agent in the private folder, whatever its target. */
export function agentFilesOf(agent: AgentKind): { configuration: string; lock: string } {
  return { configuration: `${agent}.json`, lock: `${agent}.lock` };
}

/** Folders of a target (spec 40 §10), each as the names of its path below the workspace. */
export interface TargetLayout {
  /** The folder from which the agent loads Skills. */
  root: readonly string[];
  /** Staging and quarantine: beside the root, so that each move is one rename on one file system. */
  holding: readonly string[];
  /** Private state of the target, with the two folders below. */
  state: readonly string[];
  checkpoints: readonly string[];
  journals: readonly string[];
}

export function targetLayoutOf(agent: AgentKind, targetId: string): TargetLayout {
  const [hidden, skills] = agentFormats[agent].root;
  const state = [...privateNames, targetId];
  return {
    root: [hidden, skills],
    holding: [hidden, '.skill-receiver', targetId],
    state,
    checkpoints: [...state, 'checkpoints'],
    journals: [...state, 'journals'],
  };
}

/**
 * A workspace and the folders below it, each by the names of its path. A folder is opened once and used until `release`. Not for
 * concurrent use.
 */
export class Workspace {
  /** Real path. */
  readonly path: string;
  readonly #top: Folder;
  readonly #open = new Map<string, Folder>();

  private constructor(top: Folder) {
    this.path = top.path;
    this.#top = top;
  }

  /**
   * Opens a project. Throws `ReceiverError` if it cannot be opened, or if another user could exchange it: that user owns the folder, or a
   * link on the way to it.
   */
  static async open(project: string): Promise<Workspace> {
    const path = await findWorkspace(project);
    await requireTrustedLinks(resolve(project));
    const top = await Folder.open(path);
    const descriptor = top.descriptorPath();
    if (descriptor !== undefined && (await readlink(descriptor)) !== path) {
      await top.close();
      throw new ReceiverError(`${project} was moved while it was opened.`);
    }
    return new Workspace(top);
  }

  /** The folder at a path; undefined if it is missing. Throws `UnexpectedEntryError` for a link, a file, or a folder of another user. */
  async find(names: readonly string[]): Promise<Folder | undefined> {
    return await this.#walk(names, (parent, name) => parent.find(name));
  }

  /** The folder at a path; undefined if it is missing, or if something else is on the way to it. */
  async findOwn(names: readonly string[]): Promise<Folder | undefined> {
    return await this.find(names).catch((error: unknown) => {
      if (error instanceof UnexpectedEntryError) return undefined;
      throw error;
    });
  }

  /** The folder at a path, created with the missing ones above it. Throws as `find` does. */
  async make(names: readonly string[], mode?: number): Promise<Folder> {
    const folder = await this.#walk(names, (parent, name) => parent.make(name, mode));
    return folder as Folder;
  }

  /** Removes a folder with everything below it, if it exists. */
  async removeTree(names: readonly string[]): Promise<void> {
    const parent = await this.find(names.slice(0, -1));
    await this.#forget(names);
    await parent?.removeTree(names.at(-1) ?? '');
  }

  /** Removes a folder if it exists and is empty. */
  async removeIfEmpty(names: readonly string[]): Promise<void> {
    const parent = await this.findOwn(names.slice(0, -1));
    if (await parent?.removeIfEmpty(names.at(-1) ?? '')) await this.#forget(names);
  }

  /** Closes all folders but the workspace itself: what somebody has replaced since is opened anew. */
  async release(): Promise<void> {
    await this.#forget([]);
  }

  async close(): Promise<void> {
    await this.release();
    await this.#top.close();
  }

  async #walk(
    names: readonly string[],
    open: (parent: Folder, name: string) => Promise<Folder | undefined>,
  ): Promise<Folder | undefined> {
    let folder = this.#top;
    for (const [index, name] of names.entries()) {
      const key = keyOf(names.slice(0, index + 1));
      const found = this.#open.get(key) ?? (await open(folder, name));
      if (found === undefined) return undefined;
      this.#open.set(key, found);
      folder = found;
    }
    return folder;
  }

  async #forget(names: readonly string[]): Promise<void> {
    const prefix = keyOf(names);
    for (const [key, folder] of this.#open) {
      if (!key.startsWith(prefix)) continue;
      this.#open.delete(key);
      await folder.close();
    }
  }
}

const keyOf = (names: readonly string[]) => names.map((name) => `${name}/`).join('');

/** The real path of a project. */
export async function findWorkspace(project: string): Promise<string> {
  return await realpath(project).catch((error: Error) => {
    throw new ReceiverError(`Cannot open the project: ${error.message}`);
  });
}

/** Throws `ReceiverError` if a link on the way to a project belongs to another user than root and the one of this process. */
async function requireTrustedLinks(path: string): Promise<void> {
  const status = await lstat(path);
  const user = process.geteuid?.();
  if (user !== undefined && status.isSymbolicLink() && ![0, user].includes(status.uid)) {
    throw new ReceiverError(
      `${path} is a link of the user ${status.uid}, who can exchange the project. Name the project by its own path.`,
    );
  }
  const parent = dirname(path);
  if (parent !== path) await requireTrustedLinks(parent);
}

/** Path of an entry below a workspace, for people. */
export function pathOf(workspace: Pick<Workspace, 'path'>, names: readonly string[], name: string): string {
  return join(workspace.path, ...names, name);
}
