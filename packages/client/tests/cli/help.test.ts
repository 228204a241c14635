import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { examples } from '../../src/cli/examples.ts';
import { createProgram } from '../../src/cli/program.ts';

/** Every command by its path. `complete` is what the completion scripts of shells call. */
function commandsOf(command: Command, path: string[] = []): [string, Command][] {
  const below = command.commands
    .filter((child) => child.name() !== 'complete')
    .flatMap((child) => commandsOf(child, [...path, child.name()]));
  return [[path.join(' '), command], ...below];
}

const all = commandsOf(createProgram());

/** What a command prints for `--help`. */
function helpOf(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  return parts.join('');
}

test.each(all.map(([path]) => path))('the help of `continuity %s` has an example', (path) => {
  const command = all.find(([name]) => name === path)?.[1] as Command;
  expect(helpOf(command)).toMatch(new RegExp(`\nExamples?:\n  continuity ${path.split(' ')[0]}`));
  for (const { description, flags } of command.options) expect(description, flags).not.toBe('');
});

test('every example is of a command', () => {
  expect(Object.keys(examples).toSorted()).toEqual(all.map(([path]) => path).toSorted());
});

/** Words of a command line as a shell splits it, without redirections. */
function wordsOf(line: string): string[] {
  const words = line.replace(/ (<|>>?) \S+$/, '').match(/"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ''));
}

test.each(Object.values(examples).flat())('`continuity %s` is a command line', async (line) => {
  const program = createProgram();
  let isRun = false;
  for (const [, command] of commandsOf(program)) {
    command.exitOverride();
    // Commander has no other way to parse without running.
    if (command.commands.length > 0) continue;
    command.action(() => {
      isRun = true;
    });
  }
  await program.parseAsync(wordsOf(line), { from: 'user' });
  expect(isRun).toBe(true);
});

test('the kinds of entries are in the help', () => {
  for (const path of ['remember', 'revise']) {
    const command = all.find(([name]) => name === path)?.[1] as Command;
    for (const kind of ['fact', 'preference', 'decision', 'constraint', 'working_note']) {
      expect(helpOf(command).replaceAll(/\s+/g, ' ')).toContain(kind);
    }
  }
});

test('the page of the command line names every command and every shell', async () => {
  const page = await readFile(new URL('../../../../docs/cli.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const named = new Set(
    rows.flatMap((row) =>
      [...(row.split(/(?<!\\)\|/)[1] ?? '').matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => {
        const [first = '', rest] = text.replaceAll('\\|', '|').split(' ');
        return rest === undefined ? [first] : rest.split('|').map((one) => `${first} ${one}`);
      }),
    ),
  );
  const leaves = all.filter(([path, { commands }]) => path !== '' && commands.length === 0);
  for (const [path] of leaves.filter(([path]) => path !== 'completion')) expect(named).toContain(path);
  for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
    expect(named).toContain(`completion ${shell}`);
    expect(page).toContain(`continuity completion ${shell} `);
  }
});
