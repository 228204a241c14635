/** The examples of the connector operations: a document of a repository at one commit. */
const textEvidence = { name: 'service.builtin.text-evidence', version: '1' };

export const exampleManifest = {
  name: 'git-file',
  version: '1',
  fingerprint: 'sha256:89e90b036045663797d5b4173192acc3ce6175f58b764c7ab4c60998821f0ec4',
  source_schema: {
    type: 'object',
    required: ['name', 'definition_version', 'materialization', 'description', 'path', 'text'],
    properties: { path: { type: 'string' }, text: { type: 'string' } },
  },
  projections: [
    {
      key: textEvidence,
      schema: {
        type: 'object',
        required: ['source_type', 'source_id', 'content', 'metadata'],
        properties: {
          source_type: { type: 'string' },
          source_id: { type: 'string' },
          content: { type: 'string' },
          metadata: { type: 'object' },
        },
      },
    },
  ],
};

const envelope = {
  name: 'docs/dunning.md@4f1c2a',
  definition_version: '1',
  materialization: 'captured' as const,
  description: null,
};

export const exampleObservation = {
  ...envelope,
  source_type: exampleManifest.name,
  definition_fingerprint: exampleManifest.fingerprint,
  payload: { ...envelope, path: 'docs/dunning.md', text: 'Reminder on day 3, 7 and 14.' },
  projections: [
    {
      key: textEvidence,
      value: {
        source_type: exampleManifest.name,
        source_id: envelope.name,
        content: 'Reminder on day 3, 7 and 14.',
        metadata: { path: 'docs/dunning.md' },
      },
    },
  ],
};

export const exampleConnector = {
  scope_id: 'project:atlas-billing',
  binding_id: 'atlas-docs',
  connector_name: 'git',
  connector_version: '2.1.0',
};
