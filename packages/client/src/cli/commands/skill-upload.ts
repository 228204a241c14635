import type { Command } from 'commander';
import {
  InvalidPackageError,
  type PackedSkill,
  type PackOptions,
  packSkill,
  SkillChoiceError,
} from '../../skills.ts';
import { type Context, withContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { type EvidenceOptions, toArtifactRef } from '../references.ts';
import { printCandidate } from './candidate-text.ts';

/** Names that a line lists at most. */
const maxNames = 5;

export function addSkillUpload(skill: Command): void {
  withContext<EvidenceOptions & PackOptions>(
    skill
      .command('upload')
      .description('propose a Skill for review, from its folder or from a ZIP archive of any tool')
      .argument('<path>', 'the folder or archive')
      .option('--path <folder>', 'folder of the Skill, if there are several; `.` is the root')
      .option('--fix', 'quote values of the front matter that YAML reads otherwise, in the upload alone')
      .option('--target <skill/id@revision>', 'the head that it replaces')
      .option('--reason <text>', 'a note for reviewers'),
    upload,
  );
}

async function upload(
  { client, output, scope }: Context,
  [input = '']: string[],
  { path, fix, target, reason }: EvidenceOptions & PackOptions,
) {
  const scopeId = scope();
  const packed = await pack(input, { path, fix });
  for (const line of changesOf(packed)) output.note(line);
  const candidate = await client.proposeSkillPackage({
    scope_id: scopeId,
    archive_base64: packed.archive.toString('base64'),
    ...(target !== undefined && { target: toArtifactRef(target) }),
    ...(reason !== undefined && { reason }),
  });
  printCandidate(output, candidate);
}

async function pack(input: string, options: PackOptions): Promise<PackedSkill> {
  try {
    return await packSkill(input, options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SkillChoiceError) throw new UsageError(`${input} ${error.message}`);
    if (error instanceof InvalidPackageError) {
      const isFixable = options.fix !== true && error.quotable !== null && error.field !== null;
      const hint = isFixable ? ' Or pass --fix, which quotes it in the upload.' : '';
      throw new UsageError(`${input}: ${error.message}${hint}`);
    }
    if (typeof code === 'string') throw new UsageError(`Cannot read ${input}: ${(error as Error).message}`);
    throw error;
  }
}

/** Lines that say how the upload differs from the input. */
function changesOf({ adjusted, renamed, fixes }: PackedSkill): string[] {
  const { left_out, left_out_count, removed_folder } = adjusted;
  const lines: string[] = [];
  if (left_out_count > 0) {
    const names = left_out.slice(0, maxNames);
    const rest = left_out_count - names.length;
    lines.push(`Left out: ${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`);
  }
  if (removed_folder !== null) lines.push(`Took the Skill from the folder ${removed_folder}`);
  for (const { from, to } of renamed.slice(0, maxNames)) lines.push(`Renamed: ${from} to ${to}`);
  if (renamed.length > maxNames) lines.push(`Renamed: ${renamed.length - maxNames} more`);
  for (const { line, before, after } of fixes)
    lines.push(`SKILL.md, line ${line}:`, `- ${before}`, `+ ${after}`);
  return lines;
}
