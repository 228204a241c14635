import { requests, toCurl } from '../api/requests.ts';
import { caller } from '../api/session.ts';
import { t } from '../catalog/index.ts';
import { type KeyAction, keyTable } from '../keys/table.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Store, useStore } from '../ui/store.ts';
import { number } from '../ui/time.tsx';
import { JumpDialog } from './jump.tsx';

/** The dialog that is open. */
export const openDialog = new Store<'keys' | 'requests' | 'jump' | null>(null);

const close = () => openDialog.set(null);

export function Dialogs() {
  const open = useStore(openDialog);
  if (open === 'keys') return <KeysDialog />;
  if (open === 'requests') return <RequestsDialog />;
  return open === 'jump' ? <JumpDialog onClose={close} /> : null;
}

function KeysDialog() {
  return (
    <Dialog title={t.keys} onClose={close}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.key}</th>
            <th scope="col">{t.does}</th>
          </tr>
        </thead>
        <tbody>
          {(Object.keys(keyTable) as KeyAction[]).map((action) => (
            <tr key={action}>
              <td>
                {keyTable[action].keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
              <td>{t.keyActions[action]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function RequestsDialog() {
  const all = useStore(requests);
  const needsToken = useStore(caller)?.authentication ?? false;
  return (
    <Dialog title={t.requests} onClose={close}>
      <p class="hint">{t.requestsHint}</p>
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">{t.operation}</th>
            <th scope="col">{t.status}</th>
            <th scope="col">ms</th>
            <th scope="col">{t.requestId}</th>
            <th scope="col">
              <span class="visually-hidden">{t.copy}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.number}>
              <td data-label={t.operation}>
                <code>{one.operation}</code>
              </td>
              <td data-label={t.status} class="short">
                {one.status ?? t.noStatus}
              </td>
              <td data-label="ms" class="short">
                {one.milliseconds === null ? '' : number(one.milliseconds)}
              </td>
              <td data-label={t.requestId}>
                <code>{one.requestId ?? ''}</code>
              </td>
              <td>
                <CopyButton label={t.copyCurl} text={toCurl(one, needsToken)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
