import { Argument, type Command } from 'commander';
import { withContext } from '../context.ts';
import type { SetupOptions } from '../setup-desktop.ts';

export function addSetupCommand(program: Command): void {
  withContext<SetupOptions>(
    program
      .command('setup')
      .description(
        'connect an agent host: its sessions get context and are captured; a desktop program gets the tools of MCP',
      )
      .addArgument(
        new Argument('<host>', 'the host').choices([
          ...['claude-code', 'codex', 'gemini', 'opencode', 'copilot'],
          ...['claude-desktop', 'cursor', 'vscode', 'windsurf', 'zed'],
        ]),
      )
      .option('--print', 'print what it would do, and do nothing')
      .option('--remove', 'take back what it wrote; queue and captured texts stay'),
    async (context, [host = ''], options) => {
      const { setUp } = await import('../setup-command.ts');
      await setUp(context, host, options);
    },
  );
}
