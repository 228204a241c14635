import type { Command } from 'commander';
import type { RequestOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { readJsonInput } from '../input.ts';
import { toNumber } from '../references.ts';

export function addHandoffCommands(program: Command): void {
  const handoff = program.command('handoff').description('pass work on, and take it over');
  withContext<{ revision?: string }>(
    handoff
      .command('show')
      .description('show the latest Handoff, or an exact revision')
      .option('--revision <number>', 'the revision'),
    show,
  );
  const file = ['--file <path>', 'JSON; `-` reads standard input'] as const;
  withContext<{ file: string; id: string }>(
    handoff
      .command('prepare')
      .description('record where the work stands, and prepare a Handoff (handoff_current_work)')
      .requiredOption('--id <source id>', 'id of the record, of your own')
      .requiredOption(...file),
    prepare,
  );
  withContext<{ file: string }>(
    handoff
      .command('commit')
      .description('commit a Prepared Handoff')
      .requiredOption(...file),
    commit,
  );
  withContext<{ file: string }>(
    handoff
      .command('acknowledge')
      .description('answer a Handoff that you received')
      .requiredOption(...file),
    acknowledge,
  );
}

async function show(
  { client, output, scope }: Context,
  _args: string[],
  { revision }: { revision?: string },
) {
  const scope_id = scope();
  const answer = await client.continueHandoff(
    revision === undefined
      ? { scope_id, selection: 'latest' }
      : {
          scope_id,
          selection: 'exact',
          revision: {
            family: 'handoff',
            artifact_id: 'handoff',
            revision: toNumber(revision, { option: '--revision', hint: 'a positive number', min: 1 }),
          },
        },
  );
  output.json(answer);
}

async function prepare(
  { client, output, scope }: Context,
  _args: string[],
  { file, id }: { file: string; id: string },
) {
  const handoff = (await readJsonInput(file)) as RequestOf<'handoff_current_work'>['handoff'];
  output.json(await client.handoffCurrentWork({ scope_id: scope(), source_id: id, handoff }));
}

/** Takes the answer of `prepare` as it is, or the Prepared Handoff in it. */
async function commit({ client, output, scope }: Context, _args: string[], { file }: { file: string }) {
  const given = await readJsonInput(file);
  const handoff = ('handoff' in given ? given['handoff'] : given) as RequestOf<'commit_handoff'>['handoff'];
  output.json(await client.commitHandoff({ scope_id: scope(), handoff }));
}

async function acknowledge({ client, output, scope }: Context, _args: string[], { file }: { file: string }) {
  const request = { ...(await readJsonInput(file)), scope_id: scope() } as RequestOf<'acknowledge_handoff'>;
  output.json(await client.acknowledgeHandoff(request));
}
