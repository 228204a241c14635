import { join } from 'node:path';
import { homeFolder } from '../local/user-state.ts';

/** A desktop program that starts MCP servers by an entry in a settings file. */
export interface DesktopClient {
  name: string;
  title: string;
  /** The object in the settings file that has an entry for each server. */
  key: 'mcpServers' | 'servers' | 'context_servers';
  /** Path of the settings file of this user. */
  file(places: Places): string;
  /** What the user does next. */
  next: string;
}

interface Places {
  home: string;
  /** Folder of the settings of desktop programs. */
  settings: string;
  /** Folder of those that follow XDG on macOS too. */
  xdg: string;
}

const restart = (title: string) => `Restart ${title}: its agents then have the tools of continuity.`;

export const desktopClients: readonly DesktopClient[] = [
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    key: 'mcpServers',
    file: ({ settings }) => join(settings, 'Claude', 'claude_desktop_config.json'),
    next: restart('Claude Desktop'),
  },
  {
    name: 'cursor',
    title: 'Cursor',
    key: 'mcpServers',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    next: 'Open the settings of Cursor under MCP, and turn on continuity.',
  },
  {
    name: 'vscode',
    title: 'VS Code',
    key: 'servers',
    file: ({ settings }) => join(settings, 'Code', 'User', 'mcp.json'),
    next: 'Open the chat of VS Code in agent mode: it asks once whether you trust continuity.',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    key: 'mcpServers',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    next: restart('Windsurf'),
  },
  {
    name: 'zed',
    title: 'Zed',
    key: 'context_servers',
    file: ({ settings, xdg }) =>
      join(process.platform === 'win32' ? join(settings, 'Zed') : join(xdg, 'zed'), 'settings.json'),
    next: 'Open the agent panel of Zed: its tools include those of continuity.',
  },
];

/** Path of the settings file of a client; undefined for a user without a home folder. */
export function settingsFileOf(client: DesktopClient, env: NodeJS.ProcessEnv): string | undefined {
  const home = homeFolder();
  if (home === undefined) return undefined;
  const xdg = env['XDG_CONFIG_HOME'] || join(home, '.config');
  const settings: Partial<Record<NodeJS.Platform, string>> = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: env['APPDATA'] || join(home, 'AppData', 'Roaming'),
  };
  return client.file({ home, settings: settings[process.platform] ?? xdg, xdg });
}
