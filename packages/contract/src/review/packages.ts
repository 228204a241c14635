import { z } from 'zod';
import { int, scopeId, token } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { exampleArchive, exampleManifest, examplePackage } from '../skills/examples.ts';
import { packageDownload, packageManifest } from '../skills/package-shapes.ts';
import { exampleScope, exampleSkillCandidate } from './examples.ts';

const ofVersion = {
  method: 'POST',
  tag: 'review',
  auth: 'bearer',
  run: 'direct',
  body: z.strictObject({ scope_id: scopeId, candidate_id: token(1, 128), version: int(1) }),
  status: 200,
} as const;

const exampleVersion = {
  scope_id: exampleScope,
  candidate_id: exampleSkillCandidate.candidate_id,
  version: 1,
};

export const getCandidatePackageManifest = defineOperation({
  ...ofVersion,
  id: 'get_candidate_package_manifest',
  path: '/v1/artifact-candidates/package/manifest',
  summary: 'List the files of a proposed package',
  description:
    'Lists the files of one version of a Skill Candidate, for a reviewer to read before the approval.',
  errors: ['candidate_not_found'],
  response: packageManifest,
  examples: [{ summary: 'A package of one file', body: exampleVersion, response: exampleManifest }],
});

export const downloadCandidatePackage = defineOperation({
  ...ofVersion,
  id: 'download_candidate_package',
  path: '/v1/artifact-candidates/package/download',
  summary: 'Download a proposed package',
  description: 'Returns the canonical archive of one version of a Skill Candidate, in any status.',
  errors: ['candidate_not_found'],
  response: packageDownload,
  examples: [
    {
      summary: 'A package of one file',
      body: exampleVersion,
      response: { package: examplePackage, archive_base64: exampleArchive },
    },
  ],
});
