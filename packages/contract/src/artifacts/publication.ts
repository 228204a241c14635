import { z } from 'zod';
import { family } from '../families/catalog.ts';
import { int, scopeId, text, token } from '../notation/shapes.ts';
import { defineOperation } from '../operations/operation.ts';
import { artifactPublication } from './shapes.ts';

/** The exact revision to publish; `latest` is not accepted. */
const publishedAddress = z
  .strictObject({
    scope_id: scopeId,
    artifact: z.strictObject({ family, artifact_id: token(1, 128), revision: int(1) }),
  })
  .meta({ id: 'PublishedAddress' });

const publishRequest = z.strictObject({
  source: publishedAddress,
  target_scope_id: scopeId,
  idempotency_key: text(1, 256),
});

export type PublishRequest = z.infer<typeof publishRequest>;

const exampleSource = {
  scope_id: '01a0521c-9500-726b-b2a7-4de452e6b438',
  artifact: { family: 'experience', artifact_id: '01a0521c-bfd8-7d38-8f21-ddb66cad4a26', revision: 1 },
} as const;

export const publishArtifact = defineOperation({
  id: 'publish_artifact',
  method: 'POST',
  path: '/v1/artifact-publications',
  tag: 'artifacts',
  auth: 'bearer',
  run: 'direct',
  summary: 'Copy one revision of an Artifact into another Scope',
  description:
    'Writes revision one of a new Artifact, and a Source that names its origin. Both Scopes must exist. A Memory cannot be ' +
    'published. The target Scope stores the key: a repeat returns the first answer, even if source or target have changed.',
  body: publishRequest,
  status: 201,
  response: artifactPublication,
  responseHeaders: { Location: 'Path of the head in the target Scope.' },
  errors: [
    'scope_not_found',
    'artifact_not_found',
    'publication_conflict',
    'artifact_exists',
    'governance_conflict',
    'capability_not_supported',
  ],
  examples: [
    {
      summary: 'An Experience, published to the Scope of a team',
      body: {
        source: exampleSource,
        target_scope_id: 'team:payments-conventions',
        idempotency_key: 'share-close-calendar',
      },
      response: {
        source: exampleSource,
        target: {
          scope_id: 'team:payments-conventions',
          artifact: {
            family: 'experience',
            artifact_id: '01a0521c-c533-7f28-9fb1-7c2390c192cf',
            revision: 1,
          },
        },
        content_digest: '3ebb3836621b72994947341abc13cb067f5fbb11c9bbae530772713d87bfeba3',
      },
    },
  ],
});
