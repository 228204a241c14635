import { call, newKey } from '../api/service.ts';
import { readDraft, writeDraft } from '../app/drafts.ts';
import { t } from '../catalog/index.ts';
import { announce } from '../ui/messages.ts';
import { type ProposalDraft, ProposalForm, reasonOf } from './proposal-form.tsx';
import {
  type Address,
  type ArtifactRef,
  type BareCandidate,
  type Candidate,
  isSkill,
  refText,
  sameRef,
} from './types.ts';

/** The form that proposes the content of a stale Candidate again, for the head of its Artifact. */
export function ProposeAnew({
  address,
  candidate,
  head,
  onClose,
  onMade,
}: {
  address: Address;
  candidate: Candidate;
  head: ArtifactRef;
  onClose: () => void;
  onMade: (made: BareCandidate) => void;
}) {
  const { target } = candidate;
  const draftName = `anew:${address.candidate_id}:${candidate.version}:${refText(head)}`;
  const send = async (draft: ProposalDraft) => {
    // The key is kept with the draft until it is answered, so that a second click or a reload makes no second Candidate.
    const keyName = `${draftName}:key`;
    const body = JSON.stringify(draft);
    const kept = JSON.parse(readDraft(keyName) ?? 'null') as { key: string; body: string } | null;
    const key = kept?.body === body ? kept.key : newKey();
    writeDraft(keyName, JSON.stringify({ key, body }));
    const request = {
      scope_id: address.scope_id,
      source_refs: draft.sources,
      artifact_refs: draft.artifacts,
      target: head,
      reason: reasonOf(draft) ?? candidate.reason,
    };
    const options = { idempotencyKey: key };
    const { proposal } = draft;
    const made = isSkill(proposal)
      ? await call('proposeSkill', { ...request, proposal }, options)
      : await call('proposeExperience', { ...request, proposal }, options);
    writeDraft(keyName, null);
    announce(t.proposedAnew);
    onMade(made);
  };
  return (
    <ProposalForm
      scope={address.scope_id}
      title={t.proposeAnew}
      confirm={t.sendAnew(refText(head))}
      draftName={draftName}
      base={candidate}
      artifacts={candidate.artifact_refs.map((ref) => (target !== null && sameRef(ref, target) ? head : ref))}
      target={head}
      send={send}
      onClose={onClose}
    />
  );
}
