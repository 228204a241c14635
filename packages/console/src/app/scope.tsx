import { useId, useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { addressOf, go, usePlace } from '../routing/place.ts';
import { Stored } from '../text/stored-text.tsx';
import { settled } from '../ui/busy.ts';
import { useStore } from '../ui/store.ts';
import { readDraft, writeDraft } from './drafts.ts';

const shownRows = 20;
const rememberedScopes = 5;

/** The Scope of the address, else the default Scope; undefined until it is known. */
export function useScope(): string | undefined {
  const { query } = usePlace();
  const chosen = query.get('scope');
  const fallback = useCall('getDefaultScope', chosen === null ? {} : null);
  return chosen ?? fallback.data?.scope_id;
}

/** The Scope and its title for the frame, which reads both after the page has its data. */
function useShownScope(): { scope: string; title: string } {
  const { query } = usePlace();
  const chosen = query.get('scope');
  const isSettled = useStore(settled);
  const fallback = useCall('getDefaultScope', chosen === null && isSettled ? {} : null, {
    isBackground: true,
  });
  const named = useCall('getScope', chosen !== null && isSettled ? { scope_id: chosen } : null, {
    isBackground: true,
  });
  const { scope_id, title } = (chosen === null ? fallback : named).data ?? {};
  return { scope: chosen ?? scope_id ?? '', title: title ?? '' };
}

/** Chooses the Scope of the page: by id or title, the last five of this tab and the default Scope first. */
export function ScopePicker() {
  const { segment, query, typed } = usePlace();
  const { scope, title: shownTitle } = useShownScope();
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  const listId = useId();
  const isOpen = text !== null;
  const search = (text ?? '').trim();
  const found = useCall(
    'listScopes',
    isOpen ? { limit: String(shownRows), ...(search !== '' && { search }) } : null,
    { isBackground: true },
  );
  const byDefault = useCall('getDefaultScope', isOpen ? {} : null, { isBackground: true }).data?.scope_id;
  const recent =
    search === '' ? [...new Set([...recentScopes(), ...(byDefault === undefined ? [] : [byDefault])])] : [];
  const items = found.data?.items ?? [];
  const rows = [
    ...recent.map((scope_id) => ({
      scope_id,
      title: items.find((one) => one.scope_id === scope_id)?.title ?? '',
    })),
    ...items.filter(({ scope_id }) => !recent.includes(scope_id)),
  ].slice(0, shownRows);
  const choose = (scope_id: string) => {
    writeDraft(
      'scopes',
      JSON.stringify(
        [scope_id, ...recentScopes().filter((one) => one !== scope_id)].slice(0, rememberedScopes),
      ),
    );
    setText(null);
    setActive(-1);
    const kept = segment === 'review' ? Object.fromEntries(query) : {};
    go(
      addressOf(
        segment,
        { ...kept, candidate: null, scope: scope_id },
        segment === 'why' || segment === 'memory' ? Object.fromEntries(typed) : {},
      ),
    );
  };
  const move = (step: number) => setActive((active + step + rows.length) % Math.max(1, rows.length));
  const choosePicked = () => {
    const wanted = rows[active]?.scope_id ?? search;
    if (wanted !== '') choose(wanted);
  };
  const actions: Record<string, () => void> = {
    ArrowDown: () => (isOpen ? move(1) : setText('')),
    ArrowUp: () => (isOpen ? move(-1) : setText('')),
    Enter: choosePicked,
    Escape: () => setText(null),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.isComposing ? undefined : actions[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <div class="scope-picker">
      <label for={`${listId}-input`}>{t.scope}</label>
      <input
        id={`${listId}-input`}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        {...(active >= 0 && { 'aria-activedescendant': `${listId}-${active}` })}
        autocomplete="off"
        dir="auto"
        value={text ?? scope}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => setText((now) => now ?? '')}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(-1);
        }}
        onBlur={() => setText(null)}
        onKeyDown={onKeyDown}
      />
      {shownTitle !== '' && shownTitle !== scope && (
        <span class="scope-title">
          <Stored text={shownTitle} />
        </span>
      )}
      {isOpen && (
        <div id={listId} role="listbox" aria-label={t.scope}>
          {rows.map(({ scope_id, title }, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
            <div
              key={scope_id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(scope_id)}
            >
              <Stored text={title} />{' '}
              <code>
                <Stored text={scope_id} />
              </code>
              {scope_id === byDefault && ` · ${t.defaultScope}`}
            </div>
          ))}
          {rows.length === 0 && found.data !== undefined && <div class="hint">{t.enterOpensScope}</div>}
        </div>
      )}
    </div>
  );
}

function recentScopes(): string[] {
  try {
    const stored: unknown = JSON.parse(readDraft('scopes') ?? '[]');
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    return [];
  }
}
