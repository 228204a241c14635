import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { downSince } from '../api/connection.ts';
import { caller, may } from '../api/session.ts';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { addressOf } from '../routing/place.ts';
import { TextField } from '../ui/fields.tsx';
import { announce } from '../ui/messages.ts';
import { useStore } from '../ui/store.ts';
import { Conflict } from './conflict.tsx';
import { type Decision, decide } from './decide.ts';
import { markDecided } from './inbox.ts';
import { type Address, type Candidate, type InboxItem, refText } from './types.ts';

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
  const isPending = status === 'pending';
  const canAct = isPending && isReadable && !isSending && !isDown;
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
    const outcome = await decide(address, version, decision);
    isSent.current = false;
    setSending(false);
    if (outcome.kind === 'refused') {
      setForm(null);
      setFailure(outcome.error);
      return;
    }
    if (outcome.kind === 'undecided') {
      announce(t.lostUndecided);
      return;
    }
    const { status: result, result_artifact } = outcome.candidate;
    if (result === 'pending') return;
    markDecided(address, result);
    announce(
      <a
        href={addressOf('review', { candidate: address.candidate_id, of: address.scope_id, status: result })}
      >
        {outcome.wasLost
          ? t.lostDecided(outcome.candidate.version, t.decisions[result])
          : result === 'approved' && result_artifact !== null
            ? t.approvedAs(refText(result_artifact))
            : t.rejected}
      </a>,
    );
    onDone();
  };
  if (!isPending || (!canReview && !may('writer', who))) return null;
  return (
    <section class="decision" aria-label={t.decision}>
      {failure !== null && (
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
        />
      )}
      {failure === null && item?.stale != null && (
        <Conflict
          address={address}
          candidate={candidate}
          error={null}
          onChanged={onChanged}
          onDone={onDone}
          onReject={() => {
            setReason(t.rejections[4] ?? '');
            open('reject');
          }}
          onRevise={onRevise}
        />
      )}
      {form === null && (
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
      <div class="buttons">
        <button
          ref={confirm}
          type="button"
          class="primary"
          disabled={isBlocked || isSending}
          onClick={onConfirm}
        >
          {t.confirm}
        </button>
        <button type="button" disabled={isSending} onClick={onCancel}>
          {t.cancel}
        </button>
      </div>
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
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={isBlocked || isSending}
          aria-keyshortcuts={shortcutsOf('confirm')}
          onClick={onConfirm}
        >
          {t.confirm}
        </button>
        <button type="button" disabled={isSending} onClick={onCancel}>
          {t.cancel}
        </button>
      </div>
    </div>
  );
}
