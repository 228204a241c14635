import type { Command } from 'commander';
import { type Config, configPath, readConfig, writeConfig } from '../config-file.ts';
import { UsageError } from '../errors.ts';
import { readInput } from '../input.ts';
import { Output } from '../output.ts';
import { type GlobalOptions, requireToken, requireUrl } from '../settings.ts';

/** A profile is named by an argument, so that it cannot be confused with the one that other commands use. */
export function addProfileCommands(program: Command): void {
  const profiles = program
    .command('profile')
    .description('keep addresses, tokens and Scopes in a file of your own');
  profiles
    .command('set')
    .description('create or change a profile; --url and --scope set its fields')
    .argument('<name>')
    .option('--token-stdin', 'read the token from standard input')
    .action(async (name: string, options: { tokenStdin?: boolean }, command: Command) => {
      const { url, scope } = command.optsWithGlobals<GlobalOptions>();
      const fields = {
        ...(url !== undefined && { url: requireUrl(url) }),
        ...(scope && { scope }),
        ...(options.tokenStdin === true && {
          token: requireToken(await readInput('-'), 'The token on standard input'),
        }),
      };
      await change((config) => {
        config.profiles[name] = { ...config.profiles[name], ...fields };
        config.current ??= name;
      });
    });
  profiles
    .command('use')
    .description('use a profile where none is named')
    .argument('<name>')
    .action((name: string) => change((config) => (requireProfile(config, name).current = name)));
  profiles
    .command('remove')
    .description('remove a profile with its token')
    .argument('<name>')
    .action((name: string) =>
      change((config) => {
        delete requireProfile(config, name).profiles[name];
        if (config.current === name) delete config.current;
      }),
    );
  profiles
    .command('list')
    .description('list the profiles, without tokens')
    .action(async (_options, command: Command) => list(command));
}

async function change(edit: (config: Config) => unknown): Promise<void> {
  const path = configPath(process.env);
  const config = await readConfig(path);
  edit(config);
  await writeConfig(path, config);
}

function requireProfile(config: Config, name: string): Config {
  if (!Object.hasOwn(config.profiles, name))
    throw new UsageError(`No profile is named ${JSON.stringify(name)}.`);
  return config;
}

async function list(command: Command): Promise<void> {
  const { current, profiles } = await readConfig(configPath(process.env));
  const output = new Output(command.optsWithGlobals<GlobalOptions>().json === true);
  const visible = Object.entries(profiles).map(([name, { url, scope, token }]) => ({
    name,
    is_current: name === current,
    url: url ?? null,
    scope: scope ?? null,
    has_token: token !== undefined,
  }));
  if (output.isJson) return output.json({ profiles: visible });
  if (visible.length === 0)
    return output.note('No profile. Set one: continuity profile set NAME --url ADDRESS');
  output.table(
    ['', 'NAME', 'ADDRESS', 'SCOPE', 'TOKEN'],
    visible.map(({ name, is_current, url, scope, has_token }) => [
      is_current ? '*' : '',
      name,
      url ?? '',
      scope ?? '',
      has_token ? 'yes' : 'no',
    ]),
  );
}
