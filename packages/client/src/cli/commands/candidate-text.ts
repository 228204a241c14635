import { drawHiddenCharacters } from '@continuity/contract/hidden-characters';
import type { ResponseOf } from '../../types.ts';
import type { Context } from '../context.ts';
import { fromArtifactRef } from '../references.ts';

type Output = Context['output'];
type Candidate = ResponseOf<'approve_artifact_candidate'>;
type Manifest = ResponseOf<'get_candidate_package_manifest'>;
type Summary = NonNullable<ResponseOf<'get_artifact_candidate'>['package_summary']>;

/** The package of a Candidate as a reviewer reads it. */
export interface ShownPackage {
  files: Manifest['files'];
  summary: Summary;
}

export function titleOf({ proposal }: Candidate): string {
  return drawHiddenCharacters('lesson' in proposal ? proposal.lesson : proposal.name);
}

/** Prints every field of a Candidate in full, with hidden characters drawn as codes. */
export function printCandidate(output: Output, candidate: Candidate): void {
  if (output.isJson) {
    output.json(candidate);
    return;
  }
  const { candidate_id, version, family, status, proposal, source_refs, artifact_refs, result_artifact } =
    candidate;
  output.text(`${family} ${candidate_id}, version ${version}, ${status}`);
  for (const [name, value] of Object.entries(proposal)) {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    output.text(`\n${name}:\n${drawHiddenCharacters(text)}`);
  }
  output.text('\nevidence:');
  for (const { name, source_id } of source_refs)
    output.text(`- ${drawHiddenCharacters(`${name}/${source_id}`)}`);
  for (const reference of artifact_refs) output.text(`- ${fromArtifactRef(reference)}`);
  if (result_artifact !== null) output.text(`\nresult: ${fromArtifactRef(result_artifact)}`);
}

/** Lines that say what an approval installs: files with mode and size, front matter, and hidden characters. */
export function packageLines({ files, summary }: ShownPackage): string[] {
  const { front_matter, front_matter_count, comments, comment_count, binary_count } = summary;
  const sizeWidth = Math.max(...files.map(({ size }) => String(size).length));
  return [
    `${count(summary.file_count, 'file')}, ${count(summary.uncompressed_size, 'byte')}, ` +
      `${summary.executable_count} executable, ${binary_count} binary`,
    ...files.map(
      ({ path, size, executable }) =>
        `  ${executable ? '0755' : '0644'} ${String(size).padStart(sizeWidth)} ${drawHiddenCharacters(path)}`,
    ),
    ...listed('front matter besides name and description', front_matter_count, [
      ...front_matter.map(({ key, value }) => `${key}: ${value}`),
    ]),
    ...listed('comments in the front matter', comment_count, comments),
    ...hiddenLines(summary.hidden_characters),
  ];
}

function listed(title: string, total: number, shown: readonly string[]): string[] {
  if (total === 0) return [];
  const rest = total - shown.length;
  return [
    `${title}:`,
    // Indented, so that no value passes for a line of this list.
    ...shown.map((text) => `  ${text.replaceAll('\n', '\n    ')}`),
    ...(rest === 0 ? [] : [`  and ${rest} more, in SKILL.md`]),
  ];
}

function hiddenLines(counts: Summary['hidden_characters']): string[] {
  const found = Object.entries(counts).filter(([, number]) => number > 0);
  if (found.length === 0) return [];
  const kinds = found.map(([kind, number]) => `${number} ${kind.replaceAll('_', ' ')}`);
  return [`hidden characters: ${kinds.join(', ')}`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Prints the answer of a generator. */
export function printGenerated(output: Output, generated: ResponseOf<'generate_experience'>): void {
  if (output.isJson) output.json(generated);
  else if (generated.candidate === null) output.note('The evidence says nothing new.');
  else printCandidate(output, generated.candidate);
}
