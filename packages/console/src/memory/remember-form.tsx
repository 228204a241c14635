import { useState } from 'preact/hooks';
import { invalidate } from '../api/calls.ts';
import { downSince } from '../api/connection.ts';
import { call } from '../api/service.ts';
import { useDraft } from '../app/drafts.ts';
import { t } from '../catalog/index.ts';
import { useKey } from '../keys/use-key.ts';
import { TextField } from '../ui/fields.tsx';
import { FormButtons } from '../ui/form-buttons.tsx';
import { announce } from '../ui/messages.ts';
import { Failure, issuesOf } from '../ui/states.tsx';

/** Remembers an entry in the words of a person. */
export function RememberForm({
  scope,
  text = '',
  kind = 'fact',
  onClose,
}: {
  scope: string;
  text?: string;
  kind?: string;
  onClose: () => void;
}) {
  const [draft, change, discard] = useDraft(`remember:${scope}`, { kind, text });
  const [failure, setFailure] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const isEmpty = draft.text.trim() === '' || draft.kind.trim() === '';
  const send = async () => {
    if (isSending || isEmpty || downSince.value !== null) return;
    setSending(true);
    try {
      await call('rememberMemory', { scope_id: scope, kind: draft.kind.trim(), text: draft.text });
      discard();
      announce(t.remembered);
      invalidate('listMemoryEntries', 'searchMemory', 'getMemoryEntry', 'listMemoryEntryHistory');
      onClose();
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setSending(false);
    }
  };
  const issues = issuesOf(failure);
  useKey('confirm', () => void send());
  return (
    <form
      class="stack"
      aria-label={t.remember}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {failure !== null && <Failure error={failure} />}
      <TextField
        label={t.kind}
        value={draft.kind}
        max={128}
        error={issues.get('kind')}
        onInput={(value) => change({ kind: value })}
      />
      <TextField
        label={t.text}
        value={draft.text}
        rows={3}
        error={issues.get('text')}
        onInput={(value) => change({ text: value })}
      />
      <FormButtons isBlocked={isEmpty} isSending={isSending} onCancel={onClose} />
    </form>
  );
}
