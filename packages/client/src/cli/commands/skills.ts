import { stat } from 'node:fs/promises';
import { agentKinds } from '@continuity/contract/skill-format';
import { type AgentKind, ExportError, exportSkill } from '@continuity/skill-packages/export';
import { Argument, type Command, Option } from 'commander';
import type { RequestOf, ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { readJsonInput } from '../input.ts';
import {
  addEvidenceOptions,
  type EvidenceOptions,
  fromArtifactRef,
  toArtifactId,
  toArtifactRef,
  toEvidence,
  toNumber,
} from '../references.ts';
import { printCandidate, printGenerated } from './candidate-text.ts';
import { addSkillUpload } from './skill-upload.ts';

type Proposal = RequestOf<'propose_skill'>['proposal'];
type Origin = RequestOf<'generate_skill'>['origin'];
type State = ResponseOf<'update_skill_lifecycle'>['lifecycle_state'];

interface LifecycleOptions {
  generation: string;
  replacement?: string;
}

interface ExportOptions {
  agent: AgentKind;
  project: string;
}

export function addSkillCommands(program: Command): void {
  const skill = program
    .command('skill')
    .description('propose, upload, generate, list and export Skills, and change their lifecycle');
  const revision = '<skill/id@revision>';
  withContext<{ deprecated?: boolean }>(
    skill
      .command('list')
      .description('list Skills, or search them')
      .argument('[words...]', 'plain words')
      .option('--deprecated', 'also those that are deprecated'),
    list,
  );
  withContext(skill.command('show').description('show a revision').argument(revision), show);
  withContext<EvidenceOptions & { file: string }>(
    addEvidenceOptions(
      skill
        .command('propose')
        .description('propose a Skill for review')
        .requiredOption(
          '--file <path>',
          'name, description, instructions and validation as JSON; `-` reads standard input',
        ),
    ),
    propose,
  );
  addSkillUpload(skill);
  withContext<EvidenceOptions & { origin: Origin }>(
    addEvidenceOptions(
      skill
        .command('generate')
        .description('generate a Skill from evidence, for review')
        .addOption(
          new Option('--origin <origin>', 'what it is made of')
            .choices(['experience', 'source', 'usage'])
            .makeOptionMandatory(),
        ),
    ),
    generate,
  );
  withContext<LifecycleOptions>(
    skill
      .command('lifecycle')
      .description('deprecate, retire or reactivate a Skill')
      .argument('<skill>', 'its id, or skill/id@revision')
      .addArgument(new Argument('<state>', 'the new state').choices(['active', 'deprecated', 'retired']))
      .requiredOption('--generation <number>', 'the governance generation that you have read')
      .option(
        '--replacement <id>',
        'with `deprecated`: the Skill to use instead, by id or skill/id@revision',
      ),
    changeLifecycle,
  );
  withContext<ExportOptions>(
    skill
      .command('export')
      .description('place a Skill in a project, where its agent loads it')
      .argument(revision)
      .addOption(
        new Option('--agent <agent>', 'agent that loads the Skill').choices(agentKinds).makeOptionMandatory(),
      )
      .option('--project <path>', 'folder of the project', '.'),
    place,
  );
}

async function list(
  { client, output, scope }: Context,
  words: string[],
  { deprecated = false }: { deprecated?: boolean },
) {
  const query = words.length === 0 ? null : words.join(' ');
  const answer = await client.listManagedSkills({ scope_id: scope(), query, include_deprecated: deprecated });
  if (output.isJson) return output.json(answer);
  if (answer.skills.length === 0) return output.note('No Skill.');
  const rows = answer.skills.map(({ artifact, content, governance }) => [
    content.name,
    governance.lifecycle_state,
    String(governance.governance_generation),
    content.description,
    fromArtifactRef(artifact),
  ]);
  output.table(['NAME', 'STATE', 'GENERATION', 'DESCRIPTION', 'SKILL'], rows);
}

async function show({ client, output, scope }: Context, [reference = '']: string[]) {
  output.json(await client.getSkill({ scope_id: scope(), artifact: toArtifactRef(reference) }));
}

async function propose(
  { client, output, scope }: Context,
  _args: string[],
  options: EvidenceOptions & { file: string },
) {
  const proposal = (await readJsonInput(options.file)) as Proposal;
  printCandidate(output, await client.proposeSkill({ scope_id: scope(), proposal, ...toEvidence(options) }));
}

async function generate(
  { client, output, scope }: Context,
  _args: string[],
  options: EvidenceOptions & { origin: Origin },
) {
  const request = { scope_id: scope(), origin: options.origin, ...toEvidence(options) };
  output.progress('Generating …');
  const generated = await client.generateSkill(request);
  output.endProgress();
  printGenerated(output, generated);
}

async function changeLifecycle(
  { client, output, scope }: Context,
  [skill = '', state]: string[],
  { generation, replacement }: LifecycleOptions,
) {
  const hint = 'the number that `skill list` prints';
  const governance = await client.updateSkillLifecycle({
    scope_id: scope(),
    artifact_id: toArtifactId(skill),
    expected_generation: toNumber(generation, { option: '--generation', hint, min: 0 }),
    lifecycle_state: state as State,
    ...(replacement !== undefined && { replacement_artifact_id: toArtifactId(replacement) }),
  });
  output.json(governance);
}

async function place(
  { client, output, scope }: Context,
  [reference = '']: string[],
  { agent, project }: ExportOptions,
) {
  await requireFolder(project);
  const download = await client.downloadSkillPackage({
    scope_id: scope(),
    artifact: toArtifactRef(reference),
  });
  try {
    const path = await exportSkill(download, { project, agent });
    if (output.isJson) output.json({ path });
    else output.text(path);
  } catch (error) {
    if (error instanceof ExportError) throw new UsageError(error.message);
    throw error;
  }
}

async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: Error) => {
    throw new UsageError(`--project: cannot read ${path}: ${error.message}`);
  });
  if (!found.isDirectory()) throw new UsageError(`--project: ${path} is no folder.`);
}
