import { isDeepStrictEqual } from 'node:util';
import type { RemoteSkillAction } from '@continuity/contract/remote-skills';
import type { PackageDownload } from '@continuity/contract/skills';
import { decodeBase64, openArchive, type PackageFile, sha256 } from '@continuity/skill-packages';
import { type AgentKind, findFormatProblem } from '@continuity/skill-packages/export';
import { ActionFailure } from './errors.ts';

/**
 * Verifies a downloaded package against its action, and returns the files. Throws `ActionFailure`, and `InvalidPackageError` for an archive
 * that breaks the format (spec 40 §5.2).
 */
export function openDownload(
  download: PackageDownload,
  action: RemoteSkillAction,
  agent: AgentKind,
): PackageFile[] {
  const expected = action.package;
  requireBytes(isDeepStrictEqual(download.package, expected) && expected?.tree_digest === action.tree_digest);
  const archive = decodeBase64(download.archive_base64);
  requireBytes(archive.length === expected?.archive_size);
  requireBytes(sha256(archive).toString('hex') === expected?.archive_digest);
  const { ref, files, fields } = openArchive(archive);
  requireBytes(isDeepStrictEqual(ref, expected));
  if (fields.name !== action.skill_name) {
    throw new ActionFailure(
      'incompatible',
      `The package is of the Skill ${fields.name}, not ${action.skill_name}.`,
    );
  }
  const problem = findFormatProblem(agent, fields);
  if (problem === undefined) return files;
  throw new ActionFailure('incompatible', `${agent} does not load the Skill ${fields.name}: ${problem}.`);
}

function requireBytes(isRight: boolean): void {
  if (isRight) return;
  throw new ActionFailure('delivery_failed', 'The downloaded bytes are not those of the published package.');
}
