import type { Command } from 'commander';
import type { RequestOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { readJsonInput } from '../input.ts';
import { addEvidenceOptions, type EvidenceOptions, toArtifactRef, toEvidence } from '../references.ts';
import { printCandidate, printGenerated } from './candidate-text.ts';

type Proposal = RequestOf<'propose_experience'>['proposal'];

export function addExperienceCommands(program: Command): void {
  const experience = program.command('experience').description('propose, generate and show Experiences');
  withContext<EvidenceOptions & { file: string }>(
    addEvidenceOptions(
      experience
        .command('propose')
        .description('propose an Experience for review')
        .requiredOption(
          '--file <path>',
          'situation, action, outcome and lesson as JSON; `-` reads standard input',
        ),
    ),
    propose,
  );
  withContext<EvidenceOptions>(
    addEvidenceOptions(
      experience.command('generate').description('generate an Experience from evidence, for review'),
    ),
    generate,
  );
  withContext(
    experience.command('show').description('show a revision').argument('<experience/id@revision>'),
    show,
  );
}

async function propose(
  { client, output, scope }: Context,
  _args: string[],
  options: EvidenceOptions & { file: string },
) {
  const proposal = (await readJsonInput(options.file)) as Proposal;
  printCandidate(
    output,
    await client.proposeExperience({ scope_id: scope(), proposal, ...toEvidence(options) }),
  );
}

async function generate({ client, output, scope }: Context, _args: string[], options: EvidenceOptions) {
  output.progress('Generating …');
  const generated = await client.generateExperience({ scope_id: scope(), ...toEvidence(options) });
  output.endProgress();
  printGenerated(output, generated);
}

async function show({ client, output, scope }: Context, [reference = '']: string[]) {
  output.json(await client.getExperience({ scope_id: scope(), artifact: toArtifactRef(reference) }));
}
