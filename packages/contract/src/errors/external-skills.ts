import { z } from 'zod';
import { hex64 } from '../notation/shapes.ts';
import { defineError, noDetails } from './record.ts';

/** Errors of External Skills. */
export const externalSkillErrors = {
  external_skill_registry_unavailable: defineError({
    status: 503,
    message: 'No host has folders of External Skills for this tenant.',
    details: noDetails,
    when: 'The configuration (`EXTERNAL_SKILLS_FILE`) names no folder of the tenant.',
    advice: 'Ask the operator to add a folder. `get_capabilities` says whether the tenant has one.',
  }),
  external_skill_not_found: defineError({
    status: 404,
    message: 'This External Skill is not registered in the Scope. Scan its host first.',
    details: noDetails,
    when: 'No scan of the Scope has registered the Skill.',
    advice: 'Correct the Scope or the id, or scan the host.',
  }),
  external_skill_snapshot_unavailable: defineError({
    status: 409,
    message: 'The host does not have this version of the Skill. Scan it and decide again.',
    details: z.strictObject({
      expected_fingerprint: hex64,
      current_fingerprint: hex64.nullable().meta({
        description: 'The version on the host; null if the directory is missing or unreadable.',
      }),
    }),
    when:
      'The Skill has changed or disappeared since its scan, has changed during the copy, or is registered only for other ' +
      'hosts.',
    advice: 'Scan the host, then import the version that the scan shows.',
    example: {
      details: {
        expected_fingerprint: '0a9e28acd44bcf7406f5b521a1cf8b439a0540ad8b265959e5cddc9c692d1182',
        current_fingerprint: null,
      },
    },
  }),
};
