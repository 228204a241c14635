import { useState } from 'preact/hooks';
import { signIn, tryToken } from '../api/session.ts';
import { t } from '../catalog/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useStore } from '../ui/store.ts';

/** The dialog over the page after a 401 (spec 60 §5.3.1). */
export function SignInDialog() {
  const state = useStore(signIn);
  const [isShown, setShown] = useState(false);
  const [isTrying, setTrying] = useState(false);
  if (state === null) return null;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('token');
    if (!(field instanceof HTMLInputElement) || field.value === '') return;
    setTrying(true);
    await tryToken(field.value.trim(), { isReceiver: t.receiverCredential, unreachable: t.noAnswer });
    setTrying(false);
  };
  return (
    <Dialog title={t.signIn} onClose={() => undefined} mustAnswer>
      <form onSubmit={submit} class="stack">
        <p>{t.signInWhy}</p>
        <div class="field wide">
          <label for="token">{t.token}</label>
          <input
            id="token"
            name="token"
            type={(isShown ? 'text' : 'password') as 'password'}
            autocomplete="current-password"
            spellcheck={false}
            required
          />
        </div>
        {state.refusal !== null && (
          <p role="alert" class="bad">
            {t.tokenRefused} {state.refusal}
          </p>
        )}
        <div class="buttons">
          <button type="submit" class="primary" disabled={isTrying}>
            {t.signIn}
          </button>
          <button type="button" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {t.showToken}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
