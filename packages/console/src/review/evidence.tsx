import { useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { addressOf } from '../routing/place.ts';
import { usePassages } from '../text/compare.ts';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { Answer, Empty } from '../ui/states.tsx';
import { bytes, number } from '../ui/time.tsx';
import { textOf } from './content-text.ts';
import { type Address, type ArtifactRef, type Candidate, refText, type SourceRef } from './types.ts';

const shownChanges = 100;

type Reference = { kind: 'source'; ref: SourceRef } | { kind: 'artifact'; ref: ArtifactRef };

/** The cited evidence in its order, one body at a time, the first at once (spec 60 §7.3.4). */
export function Evidence({
  address,
  candidate,
  proposalText,
}: {
  address: Address;
  candidate: Candidate;
  proposalText: string;
}) {
  const references: Reference[] = [
    ...candidate.source_refs.map((ref): Reference => ({ kind: 'source', ref })),
    ...candidate.artifact_refs.map((ref): Reference => ({ kind: 'artifact', ref })),
  ];
  const [opened, open] = useState(0);
  if (references.length === 0)
    return (
      <>
        <h3>{t.evidence}</h3>
        <Empty>
          <p>{t.noEvidence}</p>
        </Empty>
      </>
    );
  return (
    <>
      <h3>{t.evidence}</h3>
      <p class="hint">{t.markLegend}</p>
      <ol class="evidence-list">
        {references.map((reference, index) => (
          <li key={keyOf(reference)}>
            <button
              type="button"
              class="quiet"
              aria-expanded={index === opened}
              onClick={() => open(index === opened ? -1 : index)}
            >
              {t.evidenceKinds[reference.kind === 'source' ? 'source' : familyOf(reference.ref)]}{' '}
              <Stored text={reference.kind === 'source' ? reference.ref.source_id : refText(reference.ref)} />
            </button>
            {index === opened && <Body address={address} reference={reference} proposalText={proposalText} />}
          </li>
        ))}
      </ol>
    </>
  );
}

const keyOf = (reference: Reference): string => JSON.stringify(reference);

function familyOf({ family }: ArtifactRef): keyof typeof t.evidenceKinds {
  return family in t.evidenceKinds ? (family as keyof typeof t.evidenceKinds) : 'artifact';
}

function Body({
  address,
  reference,
  proposalText,
}: {
  address: Address;
  reference: Reference;
  proposalText: string;
}) {
  if (reference.kind === 'source')
    return <SourceBody scope={address.scope_id} source={reference.ref} proposalText={proposalText} />;
  const { family } = reference.ref;
  if (family === 'memory') return <MemoryBody scope={address.scope_id} artifact={reference.ref} />;
  return <ArtifactBody scope={address.scope_id} artifact={reference.ref} proposalText={proposalText} />;
}

function SourceBody({
  scope,
  source,
  proposalText,
}: {
  scope: string;
  source: SourceRef;
  proposalText: string;
}) {
  const call = useCall(
    'getSource',
    { scope_id: scope, source_type: source.name, source_id: source.source_id },
    { isImmutable: true },
  );
  return (
    <Answer call={call}>
      {({ content, position }) => {
        const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
        return (
          <>
            <p class="facts">
              <Stored text={source.name} /> · {t.position(number(position))} ·{' '}
              {bytes(new TextEncoder().encode(text).length)}
            </p>
            <MarkedBody text={text} proposalText={proposalText} />
          </>
        );
      }}
    </Answer>
  );
}

function MarkedBody({ text, proposalText }: { text: string; proposalText: string }) {
  const { second } = usePassages(proposalText, text);
  return (
    <>
      <HiddenNote texts={[text]} />
      <StoredBlock text={text} marks={second} />
    </>
  );
}

function ArtifactBody({
  scope,
  artifact,
  proposalText,
}: {
  scope: string;
  artifact: ArtifactRef;
  proposalText: string;
}) {
  const { family, artifact_id, revision } = artifact;
  const call = useCall(
    'getArtifactRevision',
    { scope_id: scope, family: family as 'experience', artifact_id, revision: String(revision) },
    { isImmutable: true },
  );
  return (
    <Answer call={call}>
      {({ content }) => (
        <MarkedBody
          text={
            'lesson' in content || 'instructions' in content
              ? textOf(content)
              : JSON.stringify(content, null, 2)
          }
          proposalText={proposalText}
        />
      )}
    </Answer>
  );
}

/** A Memory grows with its tenant, so that only the changes of the cited revision are read. */
function MemoryBody({ scope, artifact }: { scope: string; artifact: ArtifactRef }) {
  const call = useCall(
    'listMemoryChanges',
    { scope_id: scope, since_revision: artifact.revision - 1, limit: 1 },
    { isImmutable: true },
  );
  return (
    <Answer call={call}>
      {({ revisions: [revision] }) => (
        <ul>
          {(revision?.changes.length ?? 0) > shownChanges && (
            <li>{t.firstOf(number(shownChanges), number(revision?.changes.length ?? 0))}</li>
          )}
          {revision?.changes.slice(0, shownChanges).map((change) => (
            <li key={change.entry_id}>
              <span title={change.op}>{t.changeOps[change.op]}</span>{' '}
              <a href={addressOf('memory', { scope, entry: change.entry_id, revision: artifact.revision })}>
                <code>{change.entry_id}</code>
              </a>{' '}
              {change.reason !== null && <Stored text={change.reason} />}
            </li>
          ))}
        </ul>
      )}
    </Answer>
  );
}
