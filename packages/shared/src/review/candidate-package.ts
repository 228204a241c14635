import type { SkillContent } from '@continuity/contract/skills';
import type { Queries } from '@continuity/kernel/database';
import { serviceError } from '@continuity/kernel/errors';
import type { PackagePlace } from '../skills/index.ts';
import { type CandidateAddress, findVersion } from './find.ts';

/**
 * Finds the package of one version of a Skill Candidate. Throws 404 `candidate_not_found` for an unknown Candidate or version,
 * and for an Experience.
 */
export async function findCandidatePackage(
  queries: Queries,
  address: CandidateAddress,
  version: number,
): Promise<{ place: PackagePlace; treeDigest: string }> {
  const stored = await findVersion(queries, address, version);
  if (stored === undefined || stored.family !== 'skill') throw serviceError('candidate_not_found');
  const { package: ref } = stored.candidate.proposal as SkillContent;
  if (ref === null) throw new Error('A Skill Candidate is stored without its package.');
  return { place: stored, treeDigest: ref.tree_digest };
}
