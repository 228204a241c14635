import { ServiceError } from '@continuity/client';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { downSince } from '../api/connection.ts';
import { caller, may } from '../api/session.ts';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { addressOf } from '../routing/place.ts';
import { TextField } from '../ui/fields.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { announce, announceFailure } from '../ui/messages.ts';
import { useStore } from '../ui/store.ts';
import { Conflict } from './conflict.tsx';
import { type Decision, decide, type Outcome } from './decide.ts';
import { markDecided } from './inbox.ts';
import {
  type Address,
  type ArtifactRef,
  type BareCandidate,
  type Candidate,
  type InboxItem,
  refText,
} from './types.ts';

const maxReason = 2000;

interface BarProps {
  address: Address;
  candidate: Candidate;
  item: InboxItem | undefined;
  /** The proposal of this version, and for a package its manifest, is drawn. */
  isReadable: boolean;
  /** Executables, new or changed, that were not opened. */
  unopened: number;
  onDone: () => void;
  onRevise: () => void;
  /** Opens the form that proposes the content again for this head, and what it made. */
  onAnew: (head: ArtifactRef) => void;
  made: BareCandidate | null;
  onChanged: () => void;
}

/** The region "Decision" of one version (spec 60 §7.3.7 to 10). Another version has another bar. */
export function DecisionBar({
  address,
  candidate,
  item,
  isReadable,
  unopened,
  onDone,
  onRevise,
  onAnew,
  made,
  onChanged,
}: BarProps) {
  const { version, status } = candidate;
  const who = useStore(caller);
  const isDown = useStore(downSince) !== null;
  const [form, setForm] = useState<'approve' | 'reject' | null>(null);
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const isSent = useRef(false);
  // A decision that is slow to be answered moves nobody away from what they opened meanwhile.
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  const isPending = status === 'pending';
  const canAct = isPending && isReadable && !isSending && !isDown && !isSuperseded(failure);
  const canApprove = canAct && item?.stale == null;
  const canReview = may('reviewer', who);
  const open = (which: typeof form) => {
    setFailure(null);
    setForm(which);
  };
  useKey('approve', () => open('approve'), canApprove && canReview);
  useKey('reject', () => open('reject'), canAct && canReview);
  useKey('revise', onRevise, canAct && may('writer', who));
  useKey('back', () => setForm(null), form !== null && !isSending);
  const send = async (decision: Decision) => {
    if (isSent.current) return;
    isSent.current = true;
    setSending(true);
    let outcome: Outcome;
    try {
      outcome = await decide(address, version, decision);
    } finally {
      isSent.current = false;
      setSending(false);
    }
    if (outcome.kind === 'refused') {
      setForm(null);
      setFailure(outcome.error);
    } else if (announceOutcome(address, version, outcome) && !isGone.current) onDone();
  };
  if (!isPending || (!canReview && !may('writer', who))) return null;
  return (
    <section class="decision" aria-label={t.decision}>
      {(failure !== null || item?.stale != null) && (
        <Conflict
          address={address}
          candidate={candidate}
          error={failure}
          onChanged={onChanged}
          onDone={onDone}
          onReject={() => {
            setReason(t.rejections[4] ?? '');
            open('reject');
          }}
          onRevise={onRevise}
          onAnew={onAnew}
          made={made}
        />
      )}
      {form === null && !isSuperseded(failure) && (
        <div class="buttons">
          {canReview && (
            <>
              <button
                type="button"
                class="primary"
                disabled={!canApprove}
                aria-keyshortcuts={shortcutsOf('approve')}
                onClick={() => open('approve')}
              >
                {t.approveVersion(version)}
              </button>
              <button
                type="button"
                disabled={!canAct}
                aria-keyshortcuts={shortcutsOf('reject')}
                onClick={() => open('reject')}
              >
                {t.rejectVersion(version)}
              </button>
            </>
          )}
          <button
            type="button"
            disabled={!canAct}
            aria-keyshortcuts={shortcutsOf('revise')}
            onClick={onRevise}
          >
            {t.reviseVersion(version)}
          </button>
        </div>
      )}
      {form === 'approve' && (
        <ApproveForm
          candidate={candidate}
          unopened={unopened}
          isSending={isSending}
          onConfirm={() => send({ kind: 'approve' })}
          onCancel={() => setForm(null)}
        />
      )}
      {form === 'reject' && (
        <RejectForm
          reason={reason}
          onReason={setReason}
          isSending={isSending}
          onConfirm={() => send({ kind: 'reject', reason: reason.trim() })}
          onCancel={() => setForm(null)}
        />
      )}
    </section>
  );
}

/** Whether somebody revised or decided the Candidate meanwhile: nothing can be done with this version. */
function isSuperseded(failure: Error | null): boolean {
  return (
    failure instanceof ServiceError && (failure.is('candidate_conflict') || failure.is('candidate_terminal'))
  );
}

/** Says in "Messages" what became of a decision. True: the Candidate is decided. */
function announceOutcome(
  address: Address,
  version: number,
  outcome: Exclude<Outcome, { kind: 'refused' }>,
): boolean {
  const linkTo = (parameters: { status?: string }) =>
    addressOf('review', { candidate: address.candidate_id, of: address.scope_id, ...parameters });
  if (outcome.kind === 'unknown') {
    announceFailure(<a href={linkTo({})}>{t.lostUnknown(version)}</a>);
    return false;
  }
  if (outcome.kind === 'undecided') {
    announce(t.lostUndecided);
    return false;
  }
  const { status, result_artifact } = outcome.candidate;
  if (status === 'pending') return false;
  markDecided(address, status);
  const answered = result_artifact === null ? t.rejected : t.approvedAs(refText(result_artifact));
  const text = outcome.wasLost ? t.lostDecided(outcome.candidate.version, t.decisions[status]) : answered;
  announce(<a href={linkTo({ status })}>{text}</a>);
  return true;
}

interface FormProps {
  isSending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

function ApproveForm({
  candidate,
  unopened,
  isSending,
  onConfirm,
  onCancel,
}: FormProps & { candidate: Candidate; unopened: number }) {
  const { version, target, family } = candidate;
  const [isAccepted, setAccepted] = useState(false);
  const confirm = useRef<HTMLButtonElement>(null);
  const checkbox = useRef<HTMLInputElement>(null);
  const isBlocked = unopened > 0 && !isAccepted;
  useLayoutEffect(() => (checkbox.current ?? confirm.current)?.focus(), []);
  useKey('confirm', () => !isBlocked && !isSending && onConfirm());
  return (
    <div>
      <p>
        {target === null
          ? t.approveNew(version, t.familyNames[family])
          : t.approveNext(version, target.revision + 1, t.familyNames[family], target.artifact_id)}
      </p>
      {unopened > 0 && (
        <label class="check">
          <input
            ref={checkbox}
            type="checkbox"
            checked={isAccepted}
            onChange={(event) => setAccepted(event.currentTarget.checked)}
          />{' '}
          {t.approveUnopened(unopened)}
        </label>
      )}
      <FormButtons
        isBlocked={isBlocked}
        isSending={isSending}
        onConfirm={onConfirm}
        onCancel={onCancel}
        confirmRef={confirm}
      />
    </div>
  );
}

function RejectForm({
  reason,
  onReason,
  isSending,
  onConfirm,
  onCancel,
}: FormProps & { reason: string; onReason: (reason: string) => void }) {
  const form = useRef<HTMLDivElement>(null);
  const length = [...reason.trim()].length;
  const isBlocked = length === 0 || length > maxReason;
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  useKey('confirm', () => !isBlocked && !isSending && onConfirm());
  return (
    <div ref={form}>
      <TextField label={t.reason} value={reason} onInput={onReason} max={maxReason} rows={2} />
      <div class="buttons">
        {t.rejections.map((beginning) => (
          <button
            key={beginning}
            type="button"
            class="quiet"
            onClick={() => {
              onReason(beginning);
              form.current?.querySelector('textarea')?.focus();
            }}
          >
            {beginning}
          </button>
        ))}
      </div>
      <FormButtons isBlocked={isBlocked} isSending={isSending} onConfirm={onConfirm} onCancel={onCancel} />
    </div>
  );
}
