import { useEffect } from 'preact/hooks';
import { type Call, useCall } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { HiddenNote, StoredBlock } from '../text/stored-text.tsx';
import { Answer } from '../ui/states.tsx';
import { fieldsOf, textOf } from './content-text.ts';
import {
  type Address,
  type ArtifactRef,
  type Candidate,
  isSkill,
  type Proposal,
  refText,
  sameRef,
} from './types.ts';

/** The proposal: its content, or with a target the difference to the head (spec 60 §7.3.3). */
export function ProposalView({
  address,
  candidate,
  head,
  onDrawn,
}: {
  address: Address;
  candidate: Candidate;
  head: ArtifactRef | null;
  onDrawn: () => void;
}) {
  const { target, proposal } = candidate;
  if (target === null) return <Content proposal={proposal} onDrawn={onDrawn} />;
  const current = head ?? target;
  return (
    <>
      <Against
        address={address}
        artifact={current}
        proposal={proposal}
        label={t.differenceToHead(refText(current))}
        onDrawn={onDrawn}
      />
      {!sameRef(current, target) && (
        <Against
          address={address}
          artifact={target}
          proposal={proposal}
          label={t.differenceToTarget(refText(target))}
        />
      )}
      <details>
        <summary>{t.wholeProposal}</summary>
        <Content proposal={proposal} />
      </details>
    </>
  );
}

/** The fields of a proposal, one after the other. */
export function Content({ proposal, onDrawn }: { proposal: Proposal; onDrawn?: () => void }) {
  useEffect(() => {
    onDrawn?.();
  }, [onDrawn]);
  const fields = fieldsOf(proposal);
  return (
    <>
      <HiddenNote texts={fields.map(({ text }) => text)} />
      {fields.map(({ name, text }) => (
        <div key={name} class="content-field">
          <h3>{name}</h3>
          <StoredBlock text={text} />
        </div>
      ))}
    </>
  );
}

function Against({
  address,
  artifact,
  proposal,
  label,
  onDrawn,
}: {
  address: Address;
  artifact: ArtifactRef;
  proposal: Proposal;
  label: string;
  onDrawn?: () => void;
}) {
  const request = { scope_id: address.scope_id, artifact };
  const skill = useCall('getSkill', isSkill(proposal) ? request : null, { isImmutable: true });
  const experience = useCall('getExperience', isSkill(proposal) ? null : request, { isImmutable: true });
  const call: Call<{ content: Proposal }> = isSkill(proposal) ? skill : experience;
  return (
    <div class="content-field">
      <h3>{label}</h3>
      <Answer call={call}>
        {({ content }) => (
          <DifferenceView
            before={textOf(content)}
            after={textOf(proposal)}
            label={label}
            {...(onDrawn && { onDrawn })}
          />
        )}
      </Answer>
    </div>
  );
}
