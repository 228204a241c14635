import { join } from 'node:path';
import { drivenHosts } from '../generated/driven-hosts.ts';

/** A host that `continuity setup` connects. */
export interface SetupHost {
  /** The name of its sessions in import and Sources too. */
  name: string;
  title: string;
  /** Its program on the PATH, and the npm package of it. */
  command: string;
  npm: string;
  /** The version whose hooks this release was written for. */
  version: string;
  /** Files of the plugin, below its folder. A name with `/` at its end is a folder. */
  files: readonly string[];
  /** Arguments of its own commands that add and remove the plugin. `plugins` is the folder of the copy. */
  add(plugins: string): string[][];
  remove: string[][];
  /** A file of the plugin outside of the copy: its path, from the folder for settings. */
  file?: string;
  /** What the user does next. */
  next: string;
}

const program = 'continuity/hooks/continuity-hook.mjs';
const newSession = 'Start a new session: its prompts get context, and are captured.';

export const setupHosts: readonly SetupHost[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    command: 'claude',
    ...drivenHosts['claude-code'],
    files: ['.claude-plugin/', 'continuity/'],
    add: (plugins) => [
      ['plugin', 'marketplace', 'add', plugins],
      ['plugin', 'install', 'continuity@continuity'],
    ],
    remove: [
      ['plugin', 'uninstall', 'continuity@continuity'],
      ['plugin', 'marketplace', 'remove', 'continuity'],
    ],
    next: newSession,
  },
  {
    name: 'codex',
    title: 'Codex',
    command: 'codex',
    ...drivenHosts.codex,
    files: ['.agents/', 'continuity/'],
    add: (plugins) => [
      ['plugin', 'marketplace', 'add', plugins],
      ['plugin', 'add', 'continuity@continuity'],
    ],
    remove: [
      ['plugin', 'remove', 'continuity@continuity'],
      ['plugin', 'marketplace', 'remove', 'continuity'],
    ],
    next: 'Start a new session, open /hooks and trust the hooks of continuity: Codex runs them only then.',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    command: 'gemini',
    npm: '@google/gemini-cli',
    version: '0.61.0',
    files: ['gemini/', program],
    add: (plugins) => [['extensions', 'link', join(plugins, 'gemini'), '--consent']],
    remove: [['extensions', 'uninstall', 'continuity']],
    next: newSession,
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    command: 'opencode',
    npm: 'opencode-ai',
    version: '1.18.33',
    files: [program],
    add: () => [],
    remove: [],
    file: 'opencode/plugins/continuity.js',
    next: newSession,
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    command: 'copilot',
    ...drivenHosts.copilot,
    files: ['copilot/', program],
    add: (plugins) => [['plugin', 'install', join(plugins, 'copilot')]],
    remove: [['plugin', 'uninstall', 'continuity']],
    next: newSession,
  },
];
