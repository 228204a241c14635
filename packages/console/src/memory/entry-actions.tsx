import { ServiceError } from '@continuity/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { invalidate, useCall } from '../api/calls.ts';
import { downSince } from '../api/connection.ts';
import { call } from '../api/service.ts';
import { may } from '../api/session.ts';
import { useDraft } from '../app/drafts.ts';
import { t } from '../catalog/index.ts';
import { type KeyAction, shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { StoredBlock } from '../text/stored-text.tsx';
import { TextField } from '../ui/fields.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { announce } from '../ui/messages.ts';
import { Answer, Failure, issuesOf } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { RememberForm } from './remember-form.tsx';
import { sendCited } from './send-cited.ts';
import type { MemoryCitation, MemoryEntry } from './types.ts';

const maxReason = 512;

/** "Revise version n" and "Retire version n" of an entry. Both send the citation on screen (spec 60 §7.5.3). */
export function EntryActions({
  scope,
  entry,
  hasKeys = true,
  onChanged,
}: {
  scope: string;
  entry: MemoryEntry;
  /** Whether the letters act on this entry: several may be on screen. */
  hasKeys?: boolean;
  onChanged: () => void;
}) {
  const [form, setForm] = useState<'revise' | 'retire' | 'remember' | null>(null);
  const isActive = entry.state === 'active' && may('writer');
  useKey('revise', () => setForm('revise'), hasKeys && isActive && form === null);
  useKey('retire', () => setForm('retire'), hasKeys && isActive && form === null);
  useKey('back', () => setForm(null), hasKeys && form !== null);
  const close = () => setForm(null);
  const keyed = (action: KeyAction) => (hasKeys ? { 'aria-keyshortcuts': shortcutsOf(action) } : {});
  const done = () => {
    close();
    invalidate(
      'listMemoryEntries',
      'searchMemory',
      'listMemoryEntryHistory',
      'getMemoryEntry',
      'traceSource',
    );
    onChanged();
  };
  if (form === 'revise')
    return (
      <ReviseEntry
        scope={scope}
        entry={entry}
        onClose={close}
        onDone={done}
        onRemember={() => setForm('remember')}
      />
    );
  if (form === 'retire')
    return (
      <RetireEntry
        scope={scope}
        entry={entry}
        onClose={close}
        onDone={done}
        onRemember={() => setForm('remember')}
      />
    );
  if (form === 'remember')
    return <RememberForm scope={scope} kind={entry.kind} text={entry.text} onClose={done} />;
  if (!may('writer')) return null;
  return (
    <div class="buttons">
      {isActive ? (
        <>
          <button type="button" {...keyed('revise')} onClick={() => setForm('revise')}>
            {t.reviseVersion(entry.version)}
          </button>
          <button type="button" {...keyed('retire')} onClick={() => setForm('retire')}>
            {t.retireVersion(entry.version)}
          </button>
        </>
      ) : (
        <button type="button" onClick={() => setForm('remember')}>
          {t.remember}
        </button>
      )}
    </div>
  );
}

interface FormProps {
  scope: string;
  entry: MemoryEntry;
  onClose: () => void;
  onDone: () => void;
  /** Opens the form that remembers the content as an entry. */
  onRemember: () => void;
}

/** The way on where somebody retired the entry meanwhile. */
function RememberInstead({ failure, onRemember }: { failure: Error | null; onRemember: () => void }) {
  if (!(failure instanceof ServiceError) || !failure.is('memory_entry_inactive')) return null;
  return (
    <button type="button" onClick={onRemember}>
      {t.remember}
    </button>
  );
}

function ReviseEntry({ scope, entry, onClose, onDone, onRemember }: FormProps) {
  const [base, setBase] = useState<{ citation: MemoryCitation; version: number }>(entry);
  const [draft, change, discard] = useDraft(`entry:${entry.citation.entry_id}`, {
    kind: entry.kind,
    text: entry.text,
    reason: '',
  });
  const [failure, setFailure] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const isDown = useStore(downSince) !== null;
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const save = async () => {
    if (isSending || isDown) return;
    setSending(true);
    try {
      const { entry: saved } = await sendCited(base.citation, (citation) =>
        call('reviseMemoryEntry', {
          scope_id: scope,
          citation,
          kind: draft.kind,
          text: draft.text,
          reason: draft.reason.trim() === '' ? null : draft.reason.trim(),
        }),
      );
      discard();
      announce(t.savedVersion(saved?.version ?? base.version + 1));
      onDone();
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setSending(false);
    }
  };
  useKey('confirm', () => void save());
  const isConflict = failure instanceof ServiceError && failure.is('revision_conflict');
  const issues = issuesOf(failure);
  return (
    <form
      ref={form}
      class="stack"
      aria-label={t.reviseVersion(base.version)}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {isConflict && (
        <CurrentEntry
          scope={scope}
          entryId={entry.citation.entry_id}
          onApply={(current) => {
            setBase(current);
            setFailure(null);
          }}
          onDiscard={() => {
            discard();
            onDone();
          }}
        />
      )}
      {failure !== null && !isConflict && <Failure error={failure} />}
      <RememberInstead failure={failure} onRemember={onRemember} />
      <TextField
        label={t.kind}
        value={draft.kind}
        max={128}
        error={issues.get('kind')}
        onInput={(kind) => change({ kind })}
      />
      <TextField
        label={t.text}
        value={draft.text}
        rows={4}
        error={issues.get('text')}
        onInput={(text) => change({ text })}
      />
      <TextField
        label={t.reason}
        value={draft.reason}
        max={maxReason}
        error={issues.get('reason')}
        onInput={(reason) => change({ reason })}
      />
      <FormButtons confirm={t.saveVersion(base.version + 1)} isSending={isSending} onCancel={onClose} />
    </form>
  );
}

/** The entry as it is now, after a 409. */
function CurrentEntry({
  scope,
  entryId,
  onApply,
  onDiscard,
}: {
  scope: string;
  entryId: string;
  onApply: (entry: MemoryEntry) => void;
  onDiscard: () => void;
}) {
  const current = useCall('getMemoryEntry', { scope_id: scope, entry_id: entryId });
  return (
    <div class="failure" role="alert">
      <p>
        <strong>{t.entryChanged}</strong> {t.textKept}
      </p>
      <Answer call={current}>
        {(entry) => (
          <>
            <StoredBlock text={entry.text} />
            <div class="buttons">
              <button type="button" class="primary" onClick={() => onApply(entry)}>
                {t.applyToVersion(entry.version)}
              </button>
              <button type="button" onClick={onDiscard}>
                {t.discard}
              </button>
            </div>
          </>
        )}
      </Answer>
    </div>
  );
}

function RetireEntry({ scope, entry, onClose, onDone, onRemember }: FormProps) {
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  const isConflict = failure instanceof ServiceError && failure.is('revision_conflict');
  const send = async (citation: MemoryCitation) => {
    if (isSending || downSince.value !== null) return;
    setSending(true);
    try {
      await sendCited(citation, (current) =>
        call('retireMemoryEntry', {
          scope_id: scope,
          citation: current,
          reason: reason.trim() === '' ? null : reason.trim(),
        }),
      );
      announce(t.retiredEntry);
      onDone();
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setSending(false);
    }
  };
  useKey('confirm', () => void send(entry.citation));
  return (
    <div ref={form}>
      <p>{t.retireWhat(entry.version)}</p>
      {isConflict && (
        <CurrentEntry
          scope={scope}
          entryId={entry.citation.entry_id}
          onApply={({ citation }) => void send(citation)}
          onDiscard={onDone}
        />
      )}
      {failure !== null && !isConflict && <Failure error={failure} />}
      <RememberInstead failure={failure} onRemember={onRemember} />
      <TextField label={t.reason} value={reason} max={maxReason} onInput={setReason} />
      <FormButtons isSending={isSending} onConfirm={() => void send(entry.citation)} onCancel={onClose} />
    </div>
  );
}
