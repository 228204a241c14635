import { z } from 'zod';
import { scopeId, trimmed } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { generated } from '../review/shapes.ts';
import { exampleImported, exampleRegistration, exampleResolution, exampleScope } from './examples.ts';
import {
  externalSkillId,
  externalSkillList,
  externalSkillResolution,
  externalSkillScan,
  fingerprint,
  hostId,
  importMode,
} from './shapes.ts';

const queued = { tag: 'external-skills', method: 'POST', auth: 'bearer', status: 200, run: 'job' } as const;

const place = {
  scope_id: scopeId,
  host_id: hostId
    .nullable()
    .default(null)
    .meta({
      description:
        'The host to read. Null: the host of the gateway if it has folders of the tenant, otherwise the first configured host ' +
        'that has some.',
    }),
};

const version = { ...place, external_skill_id: externalSkillId, fingerprint };

export const scanExternalSkills = defineOperation({
  ...queued,
  id: 'scan_external_skills',
  path: '/v1/external-skills/scan',
  summary: 'Find the Skills on a host',
  description:
    "Reads the tenant's folders on a host, and replaces the registrations of this Scope and host. Copies no content and " +
    'creates no Candidate. `skipped` counts the directories that are no valid External Skill. `skipped_items` says why.',
  body: z.strictObject(place),
  response: externalSkillScan,
  errors: ['external_skill_registry_unavailable'],
  examples: [
    {
      summary: 'One Skill, and one directory whose SKILL.md is not valid',
      body: { scope_id: exampleScope, host_id: 'workstation-1' },
      response: {
        registrations: [exampleRegistration],
        skipped: 1,
        skipped_items: [
          { name: 'notes', message: 'SKILL.md has front matter that is not YAML', line: 3, column: 14 },
        ],
      },
    },
  ],
});

export const listExternalSkills = defineOperation({
  ...queued,
  id: 'list_external_skills',
  path: '/v1/external-skills/list',
  summary: 'List the registered Skills of a host',
  description:
    'Compares each registered Skill with the files on the host. Omits Skills that have changed or are missing. With ' +
    '`include_unavailable`, lists them and the Skills of other hosts as `unavailable`.',
  body: z.strictObject({ ...place, include_unavailable: z.boolean().default(false) }),
  response: externalSkillList,
  errors: ['external_skill_registry_unavailable'],
  examples: [
    {
      summary: 'One Skill',
      body: { scope_id: exampleScope },
      response: { skills: [exampleResolution] },
    },
  ],
});

export const resolveExternalSkill = defineOperation({
  ...queued,
  id: 'resolve_external_skill',
  path: '/v1/external-skills/resolve',
  summary: 'Find one version of a Skill on a host',
  description:
    '`available` only if the directory holds the version of the fingerprint. `entrypoint` is a path on the host.',
  body: z.strictObject(version),
  response: externalSkillResolution,
  errors: ['external_skill_not_found', 'external_skill_registry_unavailable'],
  examples: [
    {
      summary: 'The registered version',
      body: {
        scope_id: exampleScope,
        external_skill_id: exampleRegistration.external_skill_id,
        fingerprint: exampleRegistration.fingerprint,
      },
      response: exampleResolution,
    },
  ],
});

export const importExternalSkill = defineOperation({
  ...queued,
  id: 'import_external_skill',
  path: '/v1/external-skills/import',
  summary: 'Make a Candidate from a Skill on a host',
  description:
    'Copies the package into a pending Candidate, with a Source that records the copy. Later changes of the directory do ' +
    'not affect it. A package that breaks a rule is 422 with `details.package_error`. Equal requests share one job. ' +
    'Later requests get the Candidate of that job while it is pending at version 1.',
  body: z.strictObject({
    ...version,
    mode: importMode,
    reason: trimmed(1, 2000).nullable().default(null).meta({ description: 'A note for reviewers.' }),
  }),
  response: generated,
  errors: [
    'external_skill_not_found',
    'external_skill_snapshot_unavailable',
    'external_skill_registry_unavailable',
    'generation_unavailable',
    'inference_unavailable',
    'inference_timeout',
  ],
  examples: [
    {
      summary: 'An exact import',
      body: {
        scope_id: exampleScope,
        external_skill_id: exampleRegistration.external_skill_id,
        fingerprint: exampleRegistration.fingerprint,
        mode: 'import',
      },
      response: exampleImported,
    },
  ],
});

export const externalSkillOperations = {
  scan_external_skills: scanExternalSkills,
  list_external_skills: listExternalSkills,
  resolve_external_skill: resolveExternalSkill,
  import_external_skill: importExternalSkill,
};
