import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** Escape and the button Close do nothing: the dialog ends by what is in it. */
  mustAnswer?: boolean;
  children: ComponentChildren;
}

/** A modal dialog. The focus returns to its origin when it closes. */
export function Dialog({ title, onClose, mustAnswer = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const origin = document.activeElement;
    element.current?.showModal();
    // By itself, a browser would focus the button Close, which comes first.
    element.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      if (origin instanceof HTMLElement && origin.isConnected) origin.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        if (!mustAnswer) onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id="dialog-title">{title}</h2>
        {!mustAnswer && (
          <button type="button" class="quiet" aria-keyshortcuts={shortcutsOf('back')} onClick={onClose}>
            {t.close}
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}
