/** A directory is no External Skill, or changed while it was read. The message says why, without a trailing full stop. */
export class UnreadableSkill extends Error {
  override name = 'UnreadableSkill';
}
