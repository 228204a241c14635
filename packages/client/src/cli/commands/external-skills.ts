import { type Command, Option } from 'commander';
import type { RequestOf, ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import type { Output } from '../output.ts';
import { printGenerated } from './candidate-text.ts';

type Resolution = ResponseOf<'resolve_external_skill'>;
type Mode = RequestOf<'import_external_skill'>['mode'];

interface HostOptions {
  host?: string;
}

interface VersionOptions extends HostOptions {
  fingerprint: string;
}

export function addExternalSkillCommands(program: Command): void {
  const external = program
    .command('external-skills')
    .description('find and import Skills that agents have on their machines');
  withContext<HostOptions>(
    addHost(external.command('scan').description('register the Skills of a host')),
    scan,
  );
  withContext<HostOptions & { all?: boolean }>(
    addHost(
      external
        .command('list')
        .description('list the registered Skills whose files are unchanged')
        .option('--all', 'include changed and missing Skills, and those of other hosts'),
    ),
    list,
  );
  withContext<VersionOptions>(
    addVersion(external.command('resolve').description('check one version against the files')),
    resolve,
  );
  withContext<VersionOptions & { mode: Mode; reason?: string }>(
    addVersion(
      external
        .command('import')
        .description('copy one version into a Candidate')
        .addOption(
          new Option('--mode <mode>', 'the package itself, or another one made of it')
            .choices(['import', 'fork'])
            .default('import'),
        )
        .option('--reason <text>', 'a note for reviewers'),
    ),
    importSkill,
  );
}

function addHost(command: Command): Command {
  return command.option('--host <id>', 'the host; the service chooses one by default');
}

function addVersion(command: Command): Command {
  return addHost(
    command
      .argument('<id>', 'ID that `scan` and `list` print')
      .requiredOption('--fingerprint <digest>', 'the version that `scan` and `list` print'),
  );
}

const onHost = ({ host }: HostOptions) => ({ host_id: host ?? null });

async function scan({ client, output, scope }: Context, _args: string[], options: HostOptions) {
  const found = await client.scanExternalSkills({ scope_id: scope(), ...onHost(options) });
  if (output.isJson) return output.json(found);
  const rows = found.registrations.map(({ name, host_id, external_skill_id, fingerprint }) => [
    name,
    host_id,
    external_skill_id,
    fingerprint,
  ]);
  if (rows.length > 0) output.table(['NAME', 'HOST', 'ID', 'FINGERPRINT'], rows);
  output.note(`${rows.length} registered, ${found.skipped} skipped.`);
}

async function list(
  { client, output, scope }: Context,
  _args: string[],
  { all = false, ...options }: HostOptions & { all?: boolean },
) {
  const request = { scope_id: scope(), include_unavailable: all, ...onHost(options) };
  const listed = await client.listExternalSkills(request);
  if (output.isJson) return output.json(listed);
  if (listed.skills.length === 0) return output.note('No External Skill.');
  printResolutions(output, listed.skills);
}

async function resolve({ client, output, scope }: Context, [id = '']: string[], options: VersionOptions) {
  const resolution = await client.resolveExternalSkill({ ...versionOf(scope(), id, options) });
  if (output.isJson) return output.json(resolution);
  printResolutions(output, [resolution]);
}

async function importSkill(
  { client, output, scope }: Context,
  [id = '']: string[],
  { mode, reason, ...options }: VersionOptions & { mode: Mode; reason?: string },
) {
  output.progress('Importing …');
  const request = { ...versionOf(scope(), id, options), mode, reason: reason ?? null };
  const generated = await client.importExternalSkill(request);
  output.endProgress();
  printGenerated(output, generated);
}

function versionOf(scope_id: string, external_skill_id: string, { fingerprint, ...host }: VersionOptions) {
  return { scope_id, external_skill_id, fingerprint, ...onHost(host) };
}

function printResolutions(output: Output, resolutions: Resolution[]): void {
  const rows = resolutions.map(({ status, entrypoint, registration }) => [
    registration.name,
    status,
    registration.host_id,
    registration.external_skill_id,
    registration.fingerprint,
    entrypoint ?? '',
  ]);
  output.table(['NAME', 'STATUS', 'HOST', 'ID', 'FINGERPRINT', 'ENTRYPOINT'], rows);
}
