import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const npmCommand = 'npm run --silent continuity -- "$@"';
// npm would start twice for each command; the guide of the first ten minutes is run with it.
const command = `node "${process.cwd()}/dist/continuity.mjs" "$@"`;

/** Code blocks of a Markdown text in one language, in their order. */
export function blocksOf(markdown: string, language: string): string[] {
  return [...markdown.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, block = '']) => block,
  );
}

/**
 * Arguments of a bash that ends at the first error. Node's children have a socket as standard input: without `--norc`, bash may take
 * that for a remote shell and run the start file of the machine.
 */
export const strictBash = ['--norc', '-euo', 'pipefail', '-c'];

/** Runs commands in bash, in one shell, and returns what they print. Throws if one fails or writes to standard error. */
export async function runShell(
  blocks: string[],
  {
    env = {},
    cwd = process.cwd(),
    withNpm = false,
  }: { env?: Record<string, string>; cwd?: string; withNpm?: boolean } = {},
): Promise<string> {
  const script = blocks.join('\n');
  const { stdout, stderr } = await promisify(execFile)(
    'bash',
    [...strictBash, withNpm ? script : script.replaceAll(npmCommand, command)],
    { cwd, env: { ...process.env, NO_COLOR: '1', ...env } },
  );
  if (stderr !== '') throw new Error(stderr);
  return stdout;
}
