import type { ArtifactRef } from '@continuity/contract';
import type { Client } from '@continuity/testing';
import { freshScope } from './memory.ts';
import { remoteCalls } from './remote-skills.ts';
import { archiveOf, skillCalls, skillFile } from './skills.ts';

/** Makes targets with Skills, through the operations of a service. */
export function deliveries(client: Client) {
  const remote = remoteCalls(client);
  const skills = skillCalls(client);
  /** An enrolled target in a Scope of its own, with a Skill that is published to it. `row` reads the publication. */
  const published = async (name = 'release-check') => {
    const scope = freshScope();
    const skill = await skills.approved(scope, archiveOf(skillFile(name)));
    const target = await remote.enrolled(scope);
    const { body } = await remote.publish(scope, target.target_id, skill);
    const row = () => remote.publication(scope, target.target_id, skill);
    return { scope, skill, publication: body, row, ...target };
  };

  return {
    published,
    /** As `published`, and installed. */
    installed: async (name?: string) => {
      const delivery = await published(name);
      return { ...delivery, observation: await remote.applied(delivery.credential) };
    },
    /** Approves the next revision of a Skill. */
    revise: (scope: string, skill: ArtifactRef, name = 'release-check', text = 'Do it twice.') =>
      skills.approved(scope, archiveOf(skillFile(name, text)), { target: skill }),
  };
}

/** A digest that no package has. */
export const otherDigest = '0'.repeat(64);
