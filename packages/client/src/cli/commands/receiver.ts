import { agentKinds } from '@continuity/contract/skill-format';
import { type Command, Option } from 'commander';
import { ServiceError } from '../../errors.ts';
import type { Project } from '../../receiver/receiver.ts';
import type { ReceiverStatus } from '../../receiver/status.ts';
import type { Problem, SyncReport } from '../../receiver/sync.ts';
import { type Context, withContext } from '../context.ts';
import { exitCodes, toEnvelope, UsageError } from '../errors.ts';
import { readInput } from '../input.ts';
import type { Output } from '../output.ts';
import { toNumber } from '../references.ts';

// Each action imports the Receiver when it runs, because the Receiver loads the shapes of the contract. Other commands do not need them.

interface EnrollOptions extends Project {
  insecureHttp?: boolean;
  replace?: boolean;
}

interface RunOptions extends Project {
  interval: string;
  once?: boolean;
}

export function addReceiverCommands(program: Command): void {
  const receiver = program
    .command('receiver')
    .description('install the Skills that the service publishes to a project');
  withContext<EnrollOptions>(
    addProjectOptions(
      receiver.command('enroll').description('bind a project to a target, with its code on standard input'),
    )
      .option('--replace', 'replace a valid enrollment; installed Skills stay managed')
      .option('--insecure-http', 'allow plain HTTP beyond this machine'),
    enroll,
  );
  withContext<RunOptions>(
    addProjectOptions(receiver.command('run').description('install, update and remove Skills, until stopped'))
      .option('--interval <seconds>', 'seconds between syncs, 1 to 3600', '60')
      .option('--once', 'sync once, and end'),
    run,
  );
  withContext<Project>(
    addProjectOptions(receiver.command('status').description('show installed Skills and problems')),
    status,
  );
  withContext<Project>(
    addProjectOptions(
      receiver.command('unenroll').description('forget the credential; installed Skills stay'),
    ),
    unenroll,
  );
}

function addProjectOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--agent <agent>', 'agent that loads the Skills').choices(agentKinds).makeOptionMandatory(),
    )
    .option('--project <path>', 'folder of the project', '.');
}

async function enroll(
  { settings, output }: Context,
  _args: string[],
  { project, agent, replace = false, insecureHttp = false }: EnrollOptions,
) {
  const code = (await readInput('-')).trim();
  if (code === '') throw new UsageError('Give the enrollment code on standard input.');
  const receiver = await import('../../receiver/enroll.ts');
  const { target_id, workspace } = await receiver.enroll({
    project,
    agent,
    code,
    replaces: replace,
    serverUrl: settings.url,
    allowInsecureHttp: insecureHttp,
  });
  if (output.isJson) output.json({ target_id, workspace });
  else output.text(`Enrolled ${workspace} as ${target_id}. Start: ${runCommandOf(agent, project)}`);
}

/** The command that runs the Receiver of a project, quoted for a POSIX shell. */
function runCommandOf(agent: string, project: string): string {
  const command = `continuity receiver run --agent ${agent}`;
  if (project === '.') return command;
  const isPlain = /^[\w./@:+-]+$/.test(project);
  return `${command} --project ${isPlain ? project : `'${project.replaceAll("'", "'\\''")}'`}`;
}

async function run({ output }: Context, _args: string[], { interval, once, ...project }: RunOptions) {
  const seconds = toNumber(interval, { option: '--interval', hint: 'seconds', min: 1 });
  if (seconds > 3_600) throw new UsageError('--interval: at most 3600 seconds.');
  const { runReceiver, syncOnce } = await import('../../receiver/run.ts');
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    if (once === true) {
      const report = await syncOnce(project, stop.signal);
      printReport(output, report, []);
      if (report.problems.length > 0) process.exitCode = exitCodes.conflict;
      return;
    }
    let known: Problem[] = [];
    let lastFault = '';
    await runReceiver({
      ...project,
      intervalMs: seconds * 1_000,
      signal: stop.signal,
      onStart({ target_id, workspace }) {
        if (!output.isJson) output.note(`Receives the Skills of ${target_id} in ${workspace}.`);
      },
      onReport(report) {
        printReport(output, report, known);
        known = report.problems;
        lastFault = '';
      },
      onFault(error) {
        // Each is said once, until a sync succeeds.
        if (error.message === lastFault) return;
        lastFault = error.message;
        if (output.isJson) output.errorJson(toEnvelope(error));
        else output.error(`${error.message} Tries again.`);
      },
    });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401 && !output.isJson) {
      output.note('The target is revoked. Installed Skills stay. To go on, enroll with a new code.');
    }
    throw error;
  }
}

/** Prints the result of a sync, without problems that were printed before. */
function printReport(
  output: Output,
  { installed, removed, problems }: SyncReport,
  known: readonly Problem[],
) {
  const messages = new Set(known.map(({ message }) => message));
  const news = problems.filter(({ message }) => !messages.has(message));
  if (output.isJson) {
    if (installed.length + removed.length + news.length > 0) output.json({ installed, removed, problems });
    return;
  }
  for (const { skill_name, revision } of installed)
    output.text(`Installed ${skill_name}, revision ${revision}.`);
  for (const { skill_name } of removed) output.text(`Removed ${skill_name}.`);
  for (const { state, message } of news) output.text(`${state}: ${message}`);
}

async function status({ output }: Context, _args: string[], project: Project) {
  const { readStatus } = await import('../../receiver/status.ts');
  const found = await readStatus({ project: project.project, agent: project.agent });
  if (output.isJson) output.json(found);
  else printStatus(output, found);
  if ((found.last_sync?.problems.length ?? 0) > 0) process.exitCode = exitCodes.conflict;
}

function printStatus(output: Output, { target_id, server_url, running, last_sync, skills }: ReceiverStatus) {
  output.text(`Target ${target_id} of ${server_url}`);
  output.text(running === null ? 'No Receiver runs.' : `Runs: ${running}`);
  output.text(last_sync === null ? 'Has not synced.' : `Last sync: ${last_sync.at}`);
  if (last_sync?.fault) output.text(`Failed: ${last_sync.fault}`);
  if (skills.length > 0) {
    output.table(
      ['SKILL', 'REVISION', 'STATE', 'FOLDER'],
      skills.map(({ skill_name, revision, state, folder }) => [skill_name, String(revision), state, folder]),
    );
  }
  for (const { state, message } of last_sync?.problems ?? []) output.text(`${state}: ${message}`);
}

async function unenroll({ output }: Context, _args: string[], project: Project) {
  const receiver = await import('../../receiver/enroll.ts');
  const { targetId } = await receiver.unenroll({ project: project.project, agent: project.agent });
  if (output.isJson) output.json({ target_id: targetId });
  else
    output.text(
      `Forgot the credential. Installed Skills stay. Revoke the target ${targetId} in the service.`,
    );
}
