import type { OperationInput } from '@continuity/contract';
import type { connectorOperations, SourceDefinitionManifest } from '@continuity/contract/connectors';
import { requireNoIssues } from '@continuity/kernel/errors';
import { canonicalJson, type JsonValue } from '@continuity/kernel/json';
import { type SourceDefinition, toDefinition } from '../definitions/definition.ts';
import { findManifestIssues } from './manifest-rules.ts';

type RegisterBody = OperationInput<typeof connectorOperations.register_source_definition>['body'];

/** A manifest, as it is stored. */
export interface PreparedManifest extends Pick<SourceDefinitionManifest, 'name' | 'version' | 'fingerprint'> {
  /** Canonical JSON. */
  canonical: string;
  definition: SourceDefinition;
}

/** Prepares the body of `register_source_definition`. Throws 422 for issues outside of its schemas. */
export function prepareManifest({ manifest }: RegisterBody): PreparedManifest {
  requireNoIssues(findManifestIssues(manifest));
  const { name, version, fingerprint } = manifest;
  const definition = toDefinition(manifest);
  return { name, version, fingerprint, canonical: canonicalJson(manifest as JsonValue), definition };
}
