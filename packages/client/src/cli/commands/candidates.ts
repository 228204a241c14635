import { type Command, Option } from 'commander';
import type { RequestOf, ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { readJsonInput } from '../input.ts';
import { fromArtifactRef, toNumber } from '../references.ts';

type Candidate = ResponseOf<'get_artifact_candidate'>;
type ListRequest = RequestOf<'list_artifact_candidates'>;

interface Filter {
  status?: NonNullable<ListRequest['status']>;
  family?: NonNullable<ListRequest['family']>;
}

export function addCandidateCommands(program: Command): void {
  const candidates = program.command('candidates').description('review proposed Experiences and Skills');
  withContext<Filter>(
    candidates
      .command('list')
      .description('list Candidates')
      .addOption(
        new Option('--status <status>', 'of which status (default: pending)').choices([
          'pending',
          'approved',
          'rejected',
        ]),
      )
      .addOption(new Option('--family <family>', 'of which Family').choices(['experience', 'skill'])),
    list,
  );
  withContext(candidates.command('show').description('show a Candidate').argument('<id>'), show);
  const version = ['--version <number>', 'the version that you have read'] as const;
  withContext<{ version: string }>(
    candidates
      .command('approve')
      .description('make a Candidate an Experience or Skill')
      .argument('<id>')
      .requiredOption(...version),
    approve,
  );
  withContext<{ version: string; reason: string }>(
    candidates
      .command('reject')
      .description('decide that a Candidate is not used')
      .argument('<id>')
      .requiredOption(...version)
      .requiredOption('--reason <text>', 'why'),
    reject,
  );
  withContext<{ version: string; file: string }>(
    candidates
      .command('revise')
      .description('replace the content of a pending Candidate')
      .argument('<id>')
      .requiredOption(...version)
      .requiredOption(
        '--file <path>',
        'proposal, source_refs and artifact_refs as JSON; `-` reads standard input',
      ),
    revise,
  );
}

async function list({ client, output, scope }: Context, _args: string[], { status, family }: Filter) {
  const candidates: Candidate[] = [];
  const filter = { ...(status !== undefined && { status }), ...(family !== undefined && { family }) };
  for await (const candidate of client.each.listArtifactCandidates({ scope_id: scope(), ...filter })) {
    candidates.push(candidate);
  }
  if (output.isJson) return output.json({ candidates });
  if (candidates.length === 0) return output.note('No Candidate.');
  const rows = candidates.map((candidate) => [
    candidate.candidate_id,
    String(candidate.version),
    candidate.family,
    candidate.status,
    titleOf(candidate),
  ]);
  output.table(['CANDIDATE', 'VERSION', 'FAMILY', 'STATUS', 'TITLE'], rows);
}

async function show({ client, output, scope }: Context, [candidate_id = '']: string[]) {
  printCandidate(output, await client.getArtifactCandidate({ scope_id: scope(), candidate_id }));
}

async function approve(
  { client, output, scope }: Context,
  [candidate_id = '']: string[],
  options: { version: string },
) {
  const expected_version = toVersion(options.version);
  printCandidate(
    output,
    await client.approveArtifactCandidate({ scope_id: scope(), candidate_id, expected_version }),
  );
}

async function reject(
  { client, output, scope }: Context,
  [candidate_id = '']: string[],
  { version, reason }: { version: string; reason: string },
) {
  const expected_version = toVersion(version);
  printCandidate(
    output,
    await client.rejectArtifactCandidate({ scope_id: scope(), candidate_id, expected_version, reason }),
  );
}

async function revise(
  { client, output, scope }: Context,
  [candidate_id = '']: string[],
  { version, file }: { version: string; file: string },
) {
  const content = (await readJsonInput(file)) as Pick<
    RequestOf<'revise_artifact_candidate'>,
    'proposal' | 'source_refs' | 'artifact_refs'
  >;
  const expected_version = toVersion(version);
  const request = { ...content, scope_id: scope(), candidate_id, expected_version };
  printCandidate(output, await client.reviseArtifactCandidate(request));
}

function toVersion(text: string): number {
  return toNumber(text, { option: '--version', hint: 'the number that `candidates show` prints', min: 1 });
}

function titleOf({ proposal }: Candidate): string {
  return 'lesson' in proposal ? proposal.lesson : proposal.name;
}

/** The proposal as a reviewer reads it: every field in full. */
export function printCandidate(output: Context['output'], candidate: Candidate): void {
  if (output.isJson) {
    output.json(candidate);
    return;
  }
  const { candidate_id, version, family, status, proposal, source_refs, artifact_refs, result_artifact } =
    candidate;
  output.text(`${family} ${candidate_id}, version ${version}, ${status}`);
  for (const [name, value] of Object.entries(proposal)) {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    output.text(`\n${name}:\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`);
  }
  output.text('\nevidence:');
  for (const { name, source_id } of source_refs) output.text(`- ${name}/${source_id}`);
  for (const reference of artifact_refs) output.text(`- ${fromArtifactRef(reference)}`);
  if (result_artifact !== null) output.text(`\nresult: ${fromArtifactRef(result_artifact)}`);
}

/** The answer of a generator. */
export function printGenerated(
  output: Context['output'],
  generated: ResponseOf<'generate_experience'>,
): void {
  if (output.isJson) output.json(generated);
  else if (generated.candidate === null) output.note('The evidence says nothing new.');
  else printCandidate(output, generated.candidate);
}
