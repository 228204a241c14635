import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { downSince } from '../api/connection.ts';
import { useDraft } from '../app/drafts.ts';
import { t } from '../catalog/index.ts';
import { useKey } from '../keys/use-key.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { Stored } from '../text/stored-text.tsx';
import { TextField } from '../ui/fields.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { Failure, issuesOf } from '../ui/states.tsx';
import { textOf } from './content-text.ts';
import { EvidenceFields } from './evidence-fields.tsx';
import { PackageUpload } from './package-upload.tsx';
import { type ArtifactRef, type Candidate, isSkill, type Proposal, type SourceRef } from './types.ts';

const maxField = 8000;
const limits = { name: 128, description: 2000, instructions: 131_072, reason: 2000 };

/** What the form sends: all of it, whatever a person changed. */
export interface ProposalDraft {
  proposal: Proposal;
  sources: SourceRef[];
  artifacts: ArtifactRef[];
  reason: string;
}

/** The reason as the service takes it. */
export const reasonOf = ({ reason }: ProposalDraft): string | null =>
  reason.trim() === '' ? null : reason.trim();

interface FormProps {
  scope: string;
  title: string;
  /** Text of the button that sends. */
  confirm: string;
  /** Name of the draft that survives a reload. */
  draftName: string;
  /** The Candidate whose content the form begins with. */
  base: Candidate;
  /** Evidence that the form begins with, where it is not that of the Candidate. */
  artifacts?: ArtifactRef[];
  /** The head that the proposal replaces. It stays cited. */
  target: ArtifactRef | null;
  /** Sends the draft. The form shows what it throws, and forgets the draft otherwise. */
  send: (draft: ProposalDraft) => Promise<void>;
  onClose: () => void;
  /** Stands above the fields in place of a failure. */
  notice?: ComponentChildren;
}

/** The fields of a proposal with its evidence and reason (spec 60 §7.3.11). Unsent work survives a reload. */
export function ProposalForm({
  scope,
  title,
  confirm,
  draftName,
  base,
  artifacts = base.artifact_refs,
  target,
  send,
  onClose,
  notice = null,
}: FormProps) {
  const [draft, change, discard] = useDraft<ProposalDraft>(draftName, {
    proposal: base.proposal,
    sources: base.source_refs,
    artifacts,
    reason: '',
  });
  const [failure, setFailure] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const isSent = useRef(false);
  const [withDifference, setWithDifference] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);
  const issues = issuesOf(failure, 'proposal.');
  const submit = async () => {
    if (isSent.current || downSince.value !== null) return;
    isSent.current = true;
    setSending(true);
    try {
      await send(draft);
      discard();
    } catch (error) {
      setFailure(error as Error);
    } finally {
      isSent.current = false;
      setSending(false);
    }
  };
  useKey('confirm', () => void submit());
  useKey('back', onClose);
  return (
    <form
      ref={form}
      class="stack revise"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2>{title}</h2>
      {notice ?? (failure !== null && <Failure error={failure} />)}
      <ProposalFields
        proposal={draft.proposal}
        onChange={(proposal) => change({ proposal })}
        issues={issues}
      />
      {isSkill(base.proposal) && (
        <>
          {draft.proposal !== base.proposal && <LostKeys candidate={base} proposal={draft.proposal} />}
          <PackageUpload scope={scope} target={target} reason={reasonOf(draft)} />
        </>
      )}
      <EvidenceFields
        sources={draft.sources}
        artifacts={draft.artifacts}
        target={target}
        scope={scope}
        onChange={change}
      />
      <TextField
        label={t.reason}
        value={draft.reason}
        max={limits.reason}
        rows={2}
        error={issues.get('reason')}
        onInput={(reason) => change({ reason })}
      />
      <details open={withDifference} onToggle={(event) => setWithDifference(event.currentTarget.open)}>
        <summary>{t.differenceToVersion(base.version)}</summary>
        {withDifference && (
          <DifferenceView
            before={textOf(base.proposal)}
            after={textOf(draft.proposal)}
            label={t.differenceToVersion(base.version)}
          />
        )}
      </details>
      <FormButtons
        confirm={confirm}
        isSending={isSending}
        onCancel={onClose}
        onDiscard={() => {
          discard();
          onClose();
        }}
      />
    </form>
  );
}

/** Names the keys of the front matter that a Skill of one file loses when its fields are edited. */
function LostKeys({ candidate, proposal }: { candidate: Candidate; proposal: Proposal }) {
  const summary = candidate.package_summary;
  if (!isSkill(proposal) || proposal.package !== null || summary === null || summary.front_matter_count === 0)
    return null;
  return (
    <p class="note warning" role="note">
      {t.frontMatterLost}{' '}
      {summary.front_matter.map(({ key }) => (
        <code key={key}>
          <Stored text={key} />{' '}
        </code>
      ))}
      {summary.front_matter_count > summary.front_matter.length &&
        t.andMore(summary.front_matter_count - summary.front_matter.length)}
    </p>
  );
}

function ProposalFields({
  proposal,
  onChange,
  issues,
}: {
  proposal: Proposal;
  onChange: (proposal: Proposal) => void;
  issues: ReadonlyMap<string, string>;
}) {
  if (!isSkill(proposal)) {
    const names = ['situation', 'action', 'outcome', 'lesson'] as const;
    return (
      <>
        {names.map((name) => (
          <TextField
            key={name}
            label={t[name]}
            value={proposal[name]}
            max={maxField}
            rows={4}
            error={issues.get(name)}
            onInput={(text) => onChange({ ...proposal, [name]: text })}
          />
        ))}
      </>
    );
  }
  const isFixed = proposal.package !== null && proposal.package.file_count > 1;
  const names = ['name', 'description', 'instructions'] as const;
  const edit = (changes: Partial<typeof proposal>) =>
    onChange({ ...proposal, ...changes, ...(!isFixed && { package: null }) });
  return (
    <>
      {isFixed && <p class="note">{t.packageKept(proposal.package?.file_count ?? 0)}</p>}
      {names.map((name) => (
        <TextField
          key={name}
          label={t[name]}
          value={proposal[name]}
          max={limits[name]}
          rows={name === 'instructions' ? 12 : name === 'name' ? 1 : 2}
          readOnly={isFixed}
          error={issues.get(name)}
          onInput={(text) => edit({ [name]: text })}
        />
      ))}
      <TextField
        label={t.validation}
        value={proposal.validation.join('\n')}
        rows={3}
        readOnly={isFixed}
        error={issues.get('validation')}
        onInput={(text) => edit({ validation: text.split('\n').filter((line) => line.trim() !== '') })}
      />
    </>
  );
}
