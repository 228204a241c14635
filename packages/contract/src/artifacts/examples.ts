// Values that the examples of the Artifact operations share.

const constraintId = '01a0521c-aa6c-781f-a8e2-5d940ed90475';

export const exampleScope = 'project:atlas-billing';
export const exampleEntryId = '01a0521c-9fb6-7893-923f-0824128b2f33';

export const exampleCreated = {
  scope_id: exampleScope,
  family: 'memory',
  artifact_id: 'memory',
  revision: 1,
  sources: [{ source_type: 'content', source_id: '01a0521c-9a5b-70c6-a6a3-a4506513270e' }],
  artifacts: [],
};

const secondRevision = {
  scope_id: exampleScope,
  family: 'memory',
  artifact_id: 'memory',
  revision: 2,
  sources: [{ source_type: 'content', source_id: '01a0521c-ba7d-78d0-9738-f7d93d9c1724' }],
  artifacts: [],
  content_digest: 'sha256:96c9467f9a9047ac499e4ff75365684ec9073baf6c5511a07c24e4b01b63be84',
};

export const exampleItem = secondRevision;

export const exampleRevision = {
  ...secondRevision,
  content: {
    schema: 'service.memory.v1',
    manifest: {
      format: 'flat-v1',
      entries: [
        {
          entry_id: exampleEntryId,
          entry_version_id: '01a0521c-b522-711d-ab0d-549b6f03675a',
          entry_content_hash: 'e126f45793d15837ae7c8172f4d26e27d377973c7029552008685833df89106c',
          state: 'active',
        },
        {
          entry_id: constraintId,
          entry_version_id: '01a0521c-afc7-7160-8999-50d836f675cc',
          entry_content_hash: 'b27d27b63bd803bcd6134589299b66f1ef485502b5452c9497baf556442b19e8',
          state: 'active',
        },
      ],
    },
    changes: [
      {
        op: 'revise',
        entry_id: exampleEntryId,
        from_entry_version_id: '01a0521c-a511-7951-9d9d-c9f81818e811',
        to_entry_version_id: '01a0521c-b522-711d-ab0d-549b6f03675a',
        reason: null,
      },
    ],
  },
};

export const exampleParameters = { scope_id: exampleScope, family: 'memory', artifact_id: 'memory' };
export const exampleEtag = '"1-5c2f28a16f04c438cf5d6dec60d6ed8c"';

export const exampleExperience = {
  situation: 'The client was stale after a schema change.',
  action: 'Regenerated it, then ran the tests.',
  outcome: 'All green.',
  lesson: 'Regenerate the client before the contract tests.',
};

export const exampleSkill = {
  name: 'openapi-change',
  description: 'Use when the public HTTP contract changes.',
  instructions: 'Regenerate the client, read the diff, run the contract tests.',
  validation: ['contract tests pass'],
  license: 'Apache-2.0',
  compatibility: null,
  metadata: { owner: 'payments' },
  allowed_tools: 'Bash(git:*) Read',
};

/** Returns the answer to a Create of an Experience or a Skill. */
export function exampleDocument(family: 'experience' | 'skill') {
  const source = { source_type: 'content', source_id: '01a0521c-bfd8-7a01-8f21-ddb66cad4a10' };
  return {
    ...exampleCreated,
    family,
    artifact_id: '01a0521c-bfd8-7d38-8f21-ddb66cad4a26',
    sources: [source],
  };
}
