import { agentKinds } from '@continuity/contract/skill-format';
import { Argument, type Command } from 'commander';
import { ServiceError } from '../../errors.ts';
import type { RequestOf, ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { fromArtifactRef, toArtifactId, toArtifactRef, toNumber } from '../references.ts';

type Agent = RequestOf<'create_remote_skill_target'>['agent_kind'];
type Publication = ResponseOf<'publish_remote_skill'>;

interface GenerationOption {
  generation: string;
}

interface PublishOptions {
  generation?: string;
  allowDeprecated: boolean;
}

const ofTarget = 'generation of the target, as `targets list` prints it';
const ofPublication = 'generation of the publication, as `targets publications` prints it';

export function addTargetCommands(program: Command): void {
  const targets = program.command('targets').description('projects on other machines, and their Skills');
  withContext(targets.command('list').description('list the targets of a Scope'), list);
  withContext(
    targets
      .command('create')
      .description('register a project, and print the one-time code for its Receiver')
      .addArgument(new Argument('<agent>').choices(agentKinds))
      .argument('<name>', 'for people'),
    create,
  );
  withContext<GenerationOption>(
    addGeneration(targets.command('rename').argument('<target>').argument('<name>'), ofTarget).description(
      'rename a target',
    ),
    rename,
  );
  withContext<GenerationOption>(
    addGeneration(targets.command('revoke').argument('<target>'), ofTarget).description(
      'revoke a target: the service refuses its code and credential',
    ),
    revoke,
  );
  withContext(
    targets
      .command('publications')
      .description('list the publications of a target and their states')
      .argument('<target>'),
    listPublications,
  );
  withContext<PublishOptions>(
    targets
      .command('publish')
      .description('publish a revision of a Skill to a target')
      .argument('<target>')
      .argument('<skill/id@revision>')
      .option('--generation <number>', `${ofPublication}; none for the first publication of a Skill`)
      .option('--allow-deprecated', 'allow a deprecated Skill', false),
    publish,
  );
  withContext<GenerationOption>(
    addGeneration(
      targets.command('unpublish').argument('<target>').argument('<skill>', 'its id, or skill/id@revision'),
      ofPublication,
    ).description('remove a Skill from a target'),
    unpublish,
  );
}

function addGeneration(command: Command, description: string): Command {
  return command.requiredOption('--generation <number>', description);
}

const toGeneration = (text: string) =>
  toNumber(text, { option: '--generation', hint: 'the number that `targets` prints', min: 0 });

async function list({ client, output, scope }: Context) {
  const answer = await client.listRemoteSkillTargets({ scope_id: scope(), limit: 200 });
  if (output.isJson) return output.json(answer);
  if (answer.targets.length === 0) return output.note('No target.');
  const rows = answer.targets.map(({ target, publications }) => [
    target.target_id,
    target.display_name,
    target.state,
    target.presence,
    String(target.generation),
    String(publications.length),
  ]);
  output.table(['TARGET', 'NAME', 'STATE', 'PRESENCE', 'GENERATION', 'PUBLICATIONS'], rows);
}

async function create({ client, output, scope }: Context, [agent, display_name = '']: string[]) {
  const created = await client.createRemoteSkillTarget({
    scope_id: scope(),
    agent_kind: agent as Agent,
    display_name,
  });
  if (output.isJson) return output.json(created);
  output.text(created.enrollment_code);
  output.note(`The code of ${created.target.target_id} is valid until ${created.enrollment_expires_at}.`);
}

async function rename(
  { client, output, scope }: Context,
  [target_id = '', display_name = '']: string[],
  { generation }: GenerationOption,
) {
  const expected_generation = toGeneration(generation);
  output.json(
    await client.renameRemoteSkillTarget({ scope_id: scope(), target_id, display_name, expected_generation }),
  );
}

async function revoke(
  { client, output, scope }: Context,
  [target_id = '']: string[],
  { generation }: GenerationOption,
) {
  const expected_generation = toGeneration(generation);
  output.json(await client.revokeRemoteSkillTarget({ scope_id: scope(), target_id, expected_generation }));
}

async function listPublications({ client, output, scope }: Context, [target_id = '']: string[]) {
  const { targets } = await client.listRemoteSkillTargets({ scope_id: scope(), target_id });
  if (targets.length === 0) throw targetNotFound();
  const publications = targets.flatMap((one) => one.publications);
  if (output.isJson) return output.json({ publications });
  if (publications.length === 0) return output.note('No publication.');
  output.table(['SKILL', 'WANTED', 'STATE', 'GENERATION', 'ERROR'], publications.map(rowOf));
}

/** The error of other operations for an unknown target. The list is empty instead. */
function targetNotFound(): ServiceError {
  const error = {
    code: 'remote_target_not_found',
    message: 'This Scope has no such target.',
    details: {},
  } as const;
  return new ServiceError({ error }, { status: 404, headers: new Headers() });
}

function rowOf(publication: Publication): string[] {
  const { artifact_id, desired_revision: revision, desired_state, state, generation } = publication;
  return [
    fromArtifactRef({ family: 'skill', artifact_id, revision }),
    desired_state,
    state,
    String(generation),
    publication.last_error_code ?? '',
  ];
}

async function publish(
  { client, output, scope }: Context,
  [target_id = '', reference = '']: string[],
  { generation, allowDeprecated }: PublishOptions,
) {
  const publication = await client.publishRemoteSkill({
    scope_id: scope(),
    target_id,
    artifact: toArtifactRef(reference),
    expected_generation: generation === undefined ? null : toGeneration(generation),
    allow_deprecated: allowDeprecated,
  });
  output.json(publication);
}

async function unpublish(
  { client, output, scope }: Context,
  [target_id = '', skill = '']: string[],
  { generation }: GenerationOption,
) {
  const artifact_id = toArtifactId(skill);
  const expected_generation = toGeneration(generation);
  output.json(
    await client.unpublishRemoteSkill({ scope_id: scope(), target_id, artifact_id, expected_generation }),
  );
}
