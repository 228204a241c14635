import { type Command, Option } from 'commander';
import { candidateFamilies } from '../../generated/operations.ts';
import type { RequestOf, ResponseOf } from '../../types.ts';
import { type Context, withContext } from '../context.ts';
import { readJsonInput } from '../input.ts';
import { toNumber } from '../references.ts';
import { packageLines, printCandidate, type ShownPackage, titleOf } from './candidate-text.ts';

type Candidate = ResponseOf<'approve_artifact_candidate'>;
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
      .addOption(new Option('--family <family>', 'of which Family').choices(candidateFamilies)),
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
  withContext<{ version?: string }>(
    candidates
      .command('file')
      .description('print a file of a proposed package, with hidden characters as codes')
      .argument('<id>')
      .argument('<path>', 'a path that `candidates show` prints')
      .option('--version <number>', 'of which version (default: the current one)'),
    file,
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

async function show(context: Context, [candidate_id = '']: string[]) {
  const { client, output, scope } = context;
  const candidate = await client.getArtifactCandidate({ scope_id: scope(), candidate_id });
  const shown = await readPackage(context, candidate);
  if (output.isJson) return output.json({ ...candidate, files: shown?.files ?? null });
  printCandidate(output, candidate);
  if (shown !== null) output.text(`\npackage:\n${packageLines(shown).join('\n')}`);
  else if (isUnread(candidate)) output.text(`\npackage:\n${unreadPackage}`);
}

const unreadPackage = 'The service cannot read the package now. It may be busy, or the package is damaged.';

/** Whether a Candidate has a package that the service could not summarize. */
function isUnread({ proposal, package_summary }: ResponseOf<'get_artifact_candidate'>): boolean {
  return package_summary === null && 'package' in proposal && proposal.package !== null;
}

/** The files of a Candidate's package, and what they hold; null for an Experience. */
async function readPackage(
  { client, scope }: Context,
  { candidate_id, version, package_summary: summary }: ResponseOf<'get_artifact_candidate'>,
): Promise<ShownPackage | null> {
  if (summary === null) return null;
  const { files } = await client.getCandidatePackageManifest({ scope_id: scope(), candidate_id, version });
  return { files, summary };
}

/** Says what the approval installs before it approves. A version that is no longer current is refused by the service. */
async function approve(context: Context, [candidate_id = '']: string[], options: { version: string }) {
  const { client, output, scope } = context;
  const expected_version = toVersion(options.version);
  const candidate = await client.getArtifactCandidate({ scope_id: scope(), candidate_id });
  if (candidate.version === expected_version && candidate.status === 'pending') {
    const shown = await readPackage(context, candidate);
    if (shown !== null) output.note(`Approving a package:\n${packageLines(shown).join('\n')}`);
    // Nobody approves what was not shown.
    if (isUnread(candidate)) throw new Error(unreadPackage);
  }
  printCandidate(
    output,
    await client.approveArtifactCandidate({ scope_id: scope(), candidate_id, expected_version }),
  );
}

/** Prints the parts of a file one after the other. */
async function file(
  { client, output, scope }: Context,
  [candidate_id = '', path = '']: string[],
  options: { version?: string },
) {
  const at = { scope_id: scope(), candidate_id };
  const version =
    options.version === undefined
      ? (await client.getArtifactCandidate(at)).version
      : toVersion(options.version);
  let text = '';
  for (let offset: number | null = 0; offset !== null; ) {
    const part: ResponseOf<'read_candidate_package_file'> = await client.readCandidatePackageFile({
      ...at,
      version,
      path,
      offset,
    });
    if (part.text === null) {
      const hint = '`continuity call download_candidate_package` has its bytes.';
      return output.isJson ? output.json(part) : output.note(`The file is not UTF-8 text. ${hint}`);
    }
    text += part.text;
    offset = part.next_offset;
  }
  if (output.isJson) return output.json({ path, version, text });
  output.text(text.replace(/\n$/, ''));
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
