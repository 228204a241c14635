import type { SkillPackageRef } from '@continuity/contract/skills';
import { isBlank } from '@continuity/contract/text';
import type { Queries } from '@continuity/kernel/database';
import { canonicalJson } from '@continuity/kernel/json';
import { excerptOf } from '@continuity/kernel/text';
import type { ProposedContent } from '../artifacts/index.ts';
import { type PackagePlace, storePackage } from '../skills/index.ts';

/** Columns of a proposal: the proposal itself, and its summary for lists. */
interface ProposalColumns {
  /** Canonical JSON. */
  proposal: string;
  title: string;
  /** Null for an Experience. */
  package: SkillPackageRef | null;
  executableCount: number | null;
}

/** Limit of a title, in code points (spec 40 §4). */
const maxTitle = 240;

/** Returns the columns of a proposal. Stores the package of a Skill in the caller's transaction. */
export async function storeProposal(
  queries: Queries,
  place: PackagePlace,
  proposed: ProposedContent,
): Promise<ProposalColumns> {
  if (proposed.family === 'experience') {
    const { content } = proposed;
    return {
      proposal: canonicalJson(content),
      title: titleOf(content.lesson),
      package: null,
      executableCount: null,
    };
  }
  const { content, package: pack, isStored } = proposed.skill;
  if (!isStored) await storePackage(queries, place, pack);
  return {
    proposal: canonicalJson(content),
    title: titleOf(content.name),
    package: pack.ref,
    executableCount: pack.list.filter(({ executable }) => executable).length,
  };
}

/** The first line that is not blank, as an excerpt of `maxTitle` code points. */
export function titleOf(text: string): string {
  const firstLine = text.split(/[\n\r\u2028\u2029]/).find((line) => !isBlank(line));
  return excerptOf(firstLine ?? '', maxTitle);
}
