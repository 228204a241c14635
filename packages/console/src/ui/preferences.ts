import { Store } from './store.ts';

/** What a person chooses for this browser: no id and no text of a tenant (spec 60 §5.3.4). */
export interface Preferences {
  language: 'en' | 'zh-CN';
  theme: 'system' | 'light' | 'dark';
  letters: boolean;
}

const key = 'continuity-console';
const languages: readonly string[] = ['en', 'zh-CN'];
const themes: readonly string[] = ['system', 'light', 'dark'];

function browserLanguage(): Preferences['language'] {
  return /^zh\b/i.test(navigator.language) ? 'zh-CN' : 'en';
}

function read(): Preferences {
  const chosen: Preferences = { language: browserLanguage(), theme: 'system', letters: true };
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<
      Record<keyof Preferences, unknown>
    >;
    if (languages.includes(String(stored.language)))
      chosen.language = stored.language as Preferences['language'];
    if (themes.includes(String(stored.theme))) chosen.theme = stored.theme as Preferences['theme'];
    if (typeof stored.letters === 'boolean') chosen.letters = stored.letters;
  } catch {
    // Storage is off or holds something else: the defaults apply.
  }
  return chosen;
}

export const preferences = new Store<Preferences>(read());

/** Applies and stores a choice. A browser without storage forgets it with the tab. */
export function choosePreference(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.value, ...change });
  try {
    localStorage.setItem(key, JSON.stringify(preferences.value));
  } catch {
    // See above.
  }
}
