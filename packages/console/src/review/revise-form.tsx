import { ServiceError } from '@continuity/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import { downSince } from '../api/connection.ts';
import { call } from '../api/service.ts';
import { useDraft } from '../app/drafts.ts';
import { t } from '../catalog/index.ts';
import { useKey } from '../keys/use-key.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { Stored } from '../text/stored-text.tsx';
import { TextField } from '../ui/fields.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { announce } from '../ui/messages.ts';
import { Failure } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { textOf } from './content-text.ts';
import {
  type Address,
  type ArtifactRef,
  type Candidate,
  isSkill,
  type Proposal,
  refText,
  type SourceRef,
} from './types.ts';

const maxField = 8000;
const limits = { name: 128, description: 2000, instructions: 131_072, reason: 2000 };

interface Draft {
  proposal: Proposal;
  sources: SourceRef[];
  artifacts: ArtifactRef[];
  reason: string;
}

interface ReviseProps {
  address: Address;
  candidate: Candidate;
  onClose: () => void;
  onSaved: () => void;
  /** Reads the Candidate again. The draft stays. */
  onConflict: () => void;
}

/** The form that replaces the content of a pending Candidate (spec 60 §7.3.11). Unsent work survives a reload. */
export function ReviseForm({ address, candidate, onClose, onSaved, onConflict }: ReviseProps) {
  const [base, setBase] = useState(candidate);
  const initial: Draft = {
    proposal: base.proposal,
    sources: base.source_refs,
    artifacts: base.artifact_refs,
    reason: '',
  };
  const [draft, change, discard] = useDraft<Draft>(`revise:${address.candidate_id}`, initial);
  const [failure, setFailure] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const [withDifference, setWithDifference] = useState(false);
  const isDown = useStore(downSince) !== null;
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), []);
  const issues = issuesOf(failure);
  const save = async () => {
    if (isSending || isDown) return;
    setSending(true);
    try {
      const saved = await call('reviseArtifactCandidate', {
        ...address,
        expected_version: base.version,
        proposal: draft.proposal,
        source_refs: draft.sources,
        artifact_refs: draft.artifacts,
        target: base.target,
        reason: draft.reason.trim() === '' ? null : draft.reason.trim(),
      });
      discard();
      announce(t.savedVersion(saved.version));
      onSaved();
    } catch (error) {
      setFailure(error as Error);
      if (error instanceof ServiceError && error.is('candidate_conflict')) onConflict();
    } finally {
      setSending(false);
    }
  };
  useKey('confirm', () => void save());
  useKey('back', onClose);
  const newer = candidate.version > base.version ? candidate : null;
  return (
    <form
      ref={form}
      class="stack revise"
      aria-label={t.reviseVersion(base.version)}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>{t.reviseVersion(base.version)}</h2>
      {newer !== null && (
        <div class="failure" role="alert">
          <p>
            <strong>{t.newerVersion(newer.version, base.version)}</strong> {t.textKept}
          </p>
          <DifferenceView
            before={textOf(base.proposal)}
            after={textOf(newer.proposal)}
            label={t.differenceOf(String(base.version), String(newer.version))}
          />
          <button
            type="button"
            onClick={() => {
              setBase(newer);
              setFailure(null);
            }}
          >
            {t.applyToVersion(newer.version)}
          </button>
        </div>
      )}
      {failure !== null && newer === null && <Failure error={failure} />}
      <ProposalFields
        proposal={draft.proposal}
        onChange={(proposal) => change({ proposal })}
        issues={issues}
      />
      <EvidenceFields
        sources={draft.sources}
        artifacts={draft.artifacts}
        target={base.target}
        scope={address.scope_id}
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
        confirm={t.saveVersion(base.version + 1)}
        isBlocked={isDown}
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

/** Issues of a 422 by field, without the prefix `proposal.`. */
function issuesOf(failure: Error | null): ReadonlyMap<string, string> {
  if (!(failure instanceof ServiceError) || !failure.is('invalid_request')) return new Map();
  return new Map(
    failure.details.issues.map(({ path, message }) => [path.replace(/^proposal\./, ''), message]),
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

interface EvidenceProps {
  sources: SourceRef[];
  artifacts: ArtifactRef[];
  target: ArtifactRef | null;
  scope: string;
  onChange: (change: Partial<Draft>) => void;
}

/** The cited evidence: order, remove, add by id. */
function EvidenceFields({ sources, artifacts, target, scope, onChange }: EvidenceProps) {
  const [added, setAdded] = useState('');
  const found = useCall(
    'getSource',
    added === '' ? null : { scope_id: scope, source_type: 'content', source_id: added },
    { isBackground: true },
  );
  const move = (index: number, by: number) => {
    const next = [...sources];
    const [moved] = next.splice(index, 1);
    if (moved !== undefined) next.splice(index + by, 0, moved);
    onChange({ sources: next });
  };
  return (
    <fieldset>
      <legend>{t.evidence}</legend>
      <ul class="rows plain">
        {sources.map((source, index) => (
          <li key={`${source.name} ${source.source_id}`}>
            <Stored text={`${source.name} ${source.source_id}`} />{' '}
            <button
              type="button"
              class="quiet"
              disabled={index === 0}
              aria-label={t.moveUp(source.source_id)}
              onClick={() => move(index, -1)}
            >
              ↑
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={t.removeReference(source.source_id)}
              onClick={() => onChange({ sources: sources.filter((one) => one !== source) })}
            >
              {t.remove}
            </button>
          </li>
        ))}
        {artifacts.map((artifact) => (
          <li key={refText(artifact)}>
            <code>{refText(artifact)}</code>{' '}
            {(target === null || refText(target) !== refText(artifact)) && (
              <button
                type="button"
                class="quiet"
                aria-label={t.removeReference(refText(artifact))}
                onClick={() => onChange({ artifacts: artifacts.filter((one) => one !== artifact) })}
              >
                {t.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      <TextField label={t.addSource} value={added} onInput={setAdded} />
      <button
        type="button"
        disabled={
          found.data === undefined || sources.some((one) => one.name === 'content' && one.source_id === added)
        }
        onClick={() => {
          onChange({ sources: [...sources, { name: 'content', source_id: added }] });
          setAdded('');
        }}
      >
        {t.add}
      </button>
      {added !== '' && found.error !== null && <span class="hint bad"> {t.notFound}</span>}
    </fieldset>
  );
}
