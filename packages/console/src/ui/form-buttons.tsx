import type { Ref } from 'preact';
import { downSince } from '../api/connection.ts';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useStore } from './store.ts';

interface FormButtonsProps {
  /** Text of the first button. */
  confirm?: string;
  /** What the form holds cannot be sent. */
  isBlocked?: boolean;
  /** Nothing can be chosen while the form is sent. */
  isSending: boolean;
  /** Without it the first button submits the form around it. */
  onConfirm?: () => void;
  onCancel: () => void;
  /** Draws "Discard", which forgets what was typed. */
  onDiscard?: () => void;
  confirmRef?: Ref<HTMLButtonElement>;
}

/** The buttons at the end of a form, which sends nothing while the service is down. The component around it acts on the key `confirm`. */
export function FormButtons({
  confirm = t.confirm,
  isBlocked = false,
  isSending,
  onConfirm,
  onCancel,
  onDiscard,
  confirmRef = null,
}: FormButtonsProps) {
  const isDown = useStore(downSince) !== null;
  return (
    <div class="buttons">
      <button
        ref={confirmRef}
        type={onConfirm === undefined ? 'submit' : 'button'}
        class="primary"
        disabled={isBlocked || isSending || isDown}
        aria-keyshortcuts={shortcutsOf('confirm')}
        onClick={onConfirm}
      >
        {confirm}
      </button>
      <button type="button" disabled={isSending} aria-keyshortcuts={shortcutsOf('back')} onClick={onCancel}>
        {t.cancel}
      </button>
      {onDiscard !== undefined && (
        <button type="button" class="quiet" disabled={isSending} onClick={onDiscard}>
          {t.discard}
        </button>
      )}
    </div>
  );
}
