import { ServiceError } from '@continuity/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { announce } from '../ui/messages.ts';
import { textOf } from './content-text.ts';
import { type ProposalDraft, ProposalForm, reasonOf } from './proposal-form.tsx';
import type { Address, Candidate } from './types.ts';

interface ReviseProps {
  address: Address;
  candidate: Candidate;
  onClose: () => void;
  onSaved: () => void;
  /** Reads the Candidate again. The draft stays. */
  onConflict: () => void;
  /** Draws what changed and the ways on, where no version of this form can be saved any more. */
  conflictOf: (error: Error) => ComponentChildren;
}

const finalErrors = ['candidate_terminal', 'artifact_conflict', 'governance_conflict'];

/** The form that replaces the content of a pending Candidate. A newer version never replaces what a person typed. */
export function ReviseForm({ address, candidate, onClose, onSaved, onConflict, conflictOf }: ReviseProps) {
  const [base, setBase] = useState(candidate);
  const [final, setFinal] = useState<Error | null>(null);
  const newer = candidate.version > base.version ? candidate : null;
  const send = async (draft: ProposalDraft) => {
    try {
      const saved = await call('reviseArtifactCandidate', {
        ...address,
        expected_version: base.version,
        proposal: draft.proposal,
        source_refs: draft.sources,
        artifact_refs: draft.artifacts,
        target: base.target,
        reason: reasonOf(draft),
      });
      announce(t.savedVersion(saved.version));
    } catch (error) {
      if (error instanceof ServiceError && error.is('candidate_conflict')) onConflict();
      if (error instanceof ServiceError && finalErrors.includes(error.code)) setFinal(error);
      throw error;
    }
    onSaved();
  };
  return (
    <ProposalForm
      scope={address.scope_id}
      title={t.reviseVersion(base.version)}
      confirm={t.saveVersion(base.version + 1)}
      draftName={`revise:${address.candidate_id}`}
      base={base}
      target={base.target}
      send={send}
      onClose={onClose}
      {...(final !== null && { notice: conflictOf(final) })}
      {...(newer !== null &&
        final === null && {
          notice: (
            <div class="failure" role="alert">
              <p>
                <strong>{t.newerVersion(newer.version, base.version)}</strong> {t.textKept}
              </p>
              <DifferenceView
                before={textOf(base.proposal)}
                after={textOf(newer.proposal)}
                label={t.differenceOf(String(base.version), String(newer.version))}
              />
              <button type="button" onClick={() => setBase(newer)}>
                {t.applyToVersion(newer.version)}
              </button>
            </div>
          ),
        })}
    />
  );
}
