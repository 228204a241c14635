import { useCall } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { addressOf, go, usePlace } from '../routing/place.ts';
import { settled } from '../ui/busy.ts';
import { useStore } from '../ui/store.ts';
import { number } from '../ui/time.tsx';
import { type ConsolePage, pages } from './pages.ts';

const countMs = 30_000;

/** The landmark `navigation` "Main": the pages that are built. */
export function Navigation({ isOpen, onChosen }: { isOpen: boolean; onChosen: () => void }) {
  return (
    <nav id="main-navigation" aria-label={t.main} class={isOpen ? 'open' : ''}>
      <ul>
        {pages.map(
          (page) => page.action !== undefined && <Entry key={page.segment} page={page} onChosen={onChosen} />,
        )}
      </ul>
    </nav>
  );
}

function Entry({ page, onChosen }: { page: ConsolePage; onChosen: () => void }) {
  const { segment, query } = usePlace();
  const address = addressOf(page.segment, { scope: query.get('scope') });
  const isCurrent = segment === page.segment;
  useKey(page.action ?? 'home', () => go(address));
  return (
    <li>
      <a
        href={address}
        {...(isCurrent && { 'aria-current': 'page' as const })}
        {...(page.action !== undefined && { 'aria-keyshortcuts': shortcutsOf(page.action) })}
        onClick={onChosen}
      >
        {t.pages[page.name]}
      </a>
      {page.segment === 'review' && <Waiting />}
    </li>
  );
}

/** How many Candidates wait. */
function Waiting() {
  const { data } = useCall(
    'listCandidateInbox',
    useStore(settled) ? { selection: { mode: 'all' }, limit: 1 } : null,
    { pollMs: countMs, isBackground: true },
  );
  if (data === undefined) return null;
  const { value, exact } = data.total;
  return (
    <span class="count" title={t.waitForReview}>
      {exact ? number(value) : `${number(value)}+`}
    </span>
  );
}
