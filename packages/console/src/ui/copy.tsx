import { useState } from 'preact/hooks';
import { t } from '../catalog/index.ts';
import { announce, announceFailure } from './messages.ts';

/** A button that copies a text as it is stored. Where the browser has no clipboard for pages over plain HTTP, a field shows it. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const [isShown, setShown] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      announce(t.copied);
    } catch {
      setShown(true);
      announceFailure(t.copyByHand);
    }
  };
  return (
    <>
      <button type="button" class="quiet" onClick={copy}>
        {label}
      </button>
      {isShown && (
        <textarea
          readOnly
          rows={3}
          aria-label={label}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
    </>
  );
}
