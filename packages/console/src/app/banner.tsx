import { useCall } from '../api/calls.ts';
import { caller, signOut } from '../api/session.ts';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { settled } from '../ui/busy.ts';
import { Select } from '../ui/fields.tsx';
import { choosePreference, preferences } from '../ui/preferences.ts';
import { useStore } from '../ui/store.ts';
import { openDialog } from './dialogs.tsx';
import { ScopePicker } from './scope.tsx';

const readinessMs = 15_000;

/** The landmark `banner`. */
export function Banner({ isMenuOpen, onMenu }: { isMenuOpen: boolean; onMenu: () => void }) {
  return (
    <header>
      <a class="skip" href="#main">
        {t.skipToContent}
      </a>
      <button
        type="button"
        class="menu-button"
        aria-expanded={isMenuOpen}
        aria-controls="main-navigation"
        onClick={onMenu}
      >
        {t.main}
      </button>
      <span class="brand">Continuity</span>
      <ScopePicker />
      <button type="button" aria-keyshortcuts={shortcutsOf('jump')} onClick={() => openDialog.set('jump')}>
        {t.searchOrJump}
      </button>
      <button
        type="button"
        class="quiet"
        aria-keyshortcuts={shortcutsOf('requests')}
        onClick={() => openDialog.set('requests')}
      >
        {t.requests}
      </button>
      <button
        type="button"
        class="quiet"
        aria-keyshortcuts={shortcutsOf('keys')}
        onClick={() => openDialog.set('keys')}
      >
        {t.keys}
      </button>
      <SystemState />
      <Account />
    </header>
  );
}

function SystemState() {
  const { data, error } = useCall('getReadiness', useStore(settled) ? {} : null, {
    pollMs: readinessMs,
    isBackground: true,
  });
  const status = error !== null ? 'not_ready' : data?.status;
  if (status === undefined) return <span class="system" />;
  const failing = Object.entries(data?.checks ?? {}).filter(([, check]) => check !== 'ready');
  return (
    <span class={`system ${status}`} title={failing.map(([name, check]) => `${name}: ${check}`).join('\n')}>
      {t.systemState[status]}
    </span>
  );
}

function Account() {
  const who = useStore(caller);
  const { language, theme, letters } = useStore(preferences);
  return (
    <>
      <button type="button" class="quiet account" popovertarget="account">
        {t.account}
      </button>
      <div id="account" popover="auto">
        <p>
          {who === undefined && t.unknown}
          {who !== undefined && !who.authentication && t.noAuthentication}
          {who?.authentication === true && (
            <>
              <bdi>{who.tenant}</bdi>
              {who.actor !== null && (
                <>
                  {' · '}
                  <bdi>{who.actor.label}</bdi>
                </>
              )}
              {` · ${t.roles[who.role]}`}
            </>
          )}
        </p>
        <Select
          label={t.language}
          value={language}
          options={[
            ['en', 'English'],
            ['zh-CN', '中文'],
          ]}
          onChange={(chosen) => choosePreference({ language: chosen })}
        />
        <Select
          label={t.theme}
          value={theme}
          options={[
            ['system', t.themes.system],
            ['light', t.themes.light],
            ['dark', t.themes.dark],
          ]}
          onChange={(chosen) => choosePreference({ theme: chosen })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={letters}
            onChange={(event) => choosePreference({ letters: event.currentTarget.checked })}
          />{' '}
          {t.singleLetterKeys}
        </label>
        {who?.authentication === true && (
          <button type="button" onClick={signOut}>
            {t.signOut}
          </button>
        )}
      </div>
    </>
  );
}
