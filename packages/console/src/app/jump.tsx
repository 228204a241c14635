import { useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { addressOf, go } from '../routing/place.ts';
import { Stored } from '../text/stored-text.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { JumpResult } from './jump-result.tsx';
import { pages } from './pages.ts';
import { isUuid, readPastedId, readPastedRevision } from './pasted-id.ts';
import { useScope } from './scope.tsx';

const shownScopes = 8;

/** Search or jump: pages, Scopes, and what a pasted id names. */
export function JumpDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const scope = useScope();
  const wanted = text.trim();
  const pasted = readPastedId(wanted).filter(({ segment }) => pages.some((page) => page.segment === segment));
  const isUnsearched = pasted.length > 0 || readPastedRevision(wanted) !== null;
  // A Candidate of any Scope is found by its id alone.
  const found = useCall(
    'listCandidateInbox',
    isUuid(wanted) ? { selection: { mode: 'all' }, candidate_id: wanted, limit: 1 } : null,
    { isBackground: true },
  );
  const ofCandidate = found.data?.items[0]?.scope_id ?? null;
  const scopes = useCall(
    'listScopes',
    isUnsearched ? null : { limit: String(shownScopes), ...(wanted !== '' && { search: wanted }) },
    { isBackground: true },
  );
  const named = pages.filter(({ name }) => t.pages[name].toLowerCase().includes(wanted.toLowerCase()));
  const rows = [
    ...pasted.map(({ kind, segment, query }) => ({
      label: `${t.pastedKinds[kind]}: ${wanted.slice(0, 80)}`,
      address: addressOf(segment, {
        scope,
        ...query,
        ...(kind === 'candidate' && ofCandidate !== null && { within: null, of: ofCandidate }),
      }),
    })),
    ...named.map(({ name, segment }) => ({ label: t.pages[name], address: addressOf(segment, { scope }) })),
    ...(scopes.data?.items ?? []).map(({ scope_id, title }) => ({
      label: `${t.scope}: ${title} (${scope_id})`,
      address: addressOf(pages.some((page) => page.segment === '') ? '' : 'review', { scope: scope_id }),
    })),
  ];
  const open = (address: string) => {
    onClose();
    go(address);
  };
  return (
    <Dialog title={t.searchOrJump} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (rows[0] !== undefined) open(rows[0].address);
        }}
      >
        <div class="field wide">
          <label for="jump">{t.jumpLabel}</label>
          <input
            id="jump"
            value={text}
            autocomplete="off"
            dir="auto"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
      </form>
      <JumpResult text={wanted} scope={scope} />
      {rows.length === 0 && !isUnsearched && <p>{t.nothingFound}</p>}
      <ul class="rows">
        {rows.map(({ label, address }) => (
          <li key={address + label}>
            <a
              href={address}
              onClick={(event) => {
                event.preventDefault();
                open(address);
              }}
            >
              <Stored text={label} />
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
