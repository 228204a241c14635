/** Values that the examples of the Memory operations share. */
export const exampleEntryId = '0199c1a0-7d10-7b6e-9a51-40d2a8e6b9f4';
export const exampleVersionId = '0199c1a0-7d11-7a02-8c77-5be1f3a90c66';

export function exampleRef(revision: number) {
  return { family: 'memory', artifact_id: 'memory', revision };
}

export function exampleCitation(revision: number, versionId: string = exampleVersionId) {
  return { memory_ref: exampleRef(revision), entry_id: exampleEntryId, entry_version_id: versionId };
}

export function exampleEntry(revision: number) {
  return {
    citation: exampleCitation(revision),
    version: 1,
    kind: 'decision',
    text: 'Use Postgres 16 for every environment.',
    state: 'active',
    source_refs: [],
    artifact_refs: [],
  };
}
