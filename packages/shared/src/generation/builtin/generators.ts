import { maxPackageBytes, maxSkillFileBytes } from '@continuity/contract/skills';
import { runInSlices } from '@continuity/kernel/fairness';
import { buildPackage, entrypoint, replaceSkillFile, type SkillPackage } from '@continuity/skill-packages';
import { builtinIdentity } from '../identity.ts';
import type { Piece } from '../piece.ts';
import type { ExperienceGenerator, IncubatedExperience, SkillGenerator } from '../port.ts';
import { extractExperience } from './experience.ts';
import { forkName } from './fork-name.ts';
import { addObservedUse } from './observed-use.ts';
import { extractSkill, type NewSkillOrigin } from './skill.ts';

/** The rules of spec 40 §2.2: no model, no network. */
export function createBuiltinExperienceGenerator(): ExperienceGenerator {
  return {
    identity: builtinIdentity.experience,
    generate: ({ pieces, target }) => runInSlices(extractExperience(pieces, target)),
    incubate: async ({ pieces }) => {
      const experiences: IncubatedExperience[] = [];
      for (const [index, piece] of pieces.entries()) {
        const content = await runInSlices(extractExperience([piece], null));
        if (content !== null) experiences.push({ content, evidence: [index] });
      }
      return experiences;
    },
  };
}

/** The rules of spec 40 §2.2: no model, no network. */
export function createBuiltinSkillGenerator(): SkillGenerator {
  return {
    identity: builtinIdentity.skill,
    generate: async ({ origin, pieces, target }) => {
      if (target !== null) return await extendPackage(pieces, target);
      return await newPackage(pieces, origin === 'experience' ? 'experience' : 'source');
    },
    fork: ({ snapshot, rename }) => rename(forkName(snapshot.fields.name)),
  };
}

async function newPackage(pieces: readonly Piece[], origin: NewSkillOrigin): Promise<SkillPackage | null> {
  const skill = await runInSlices(extractSkill(pieces, origin));
  if (skill === null) return null;
  const { validation, ...said } = skill;
  const fields = { ...said, license: null, compatibility: null, metadata: {}, allowed_tools: null };
  return buildPackage(fields, validation);
}

async function extendPackage(
  pieces: readonly Piece[],
  { files, ref, fields }: SkillPackage,
): Promise<SkillPackage | null> {
  const skillFile = files.find(({ path }) => path === entrypoint)?.bytes ?? Buffer.alloc(0);
  const room = maxPackageBytes - ref.uncompressed_size;
  const extended = await runInSlices(
    addObservedUse(pieces, {
      skillFile: skillFile.toString(),
      instructions: fields.instructions,
      maxBytes: Math.min(maxSkillFileBytes, skillFile.length + room),
    }),
  );
  return extended === null ? null : replaceSkillFile(files, extended);
}
