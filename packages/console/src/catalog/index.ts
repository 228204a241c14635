import { useLayoutEffect } from 'preact/hooks';
import { preferences } from '../ui/preferences.ts';
import { useStore } from '../ui/store.ts';
import { en } from './en/index.ts';
import { zh } from './zh/index.ts';

/** All phrases. A phrase that one language lacks does not compile. */
export type Phrases = typeof en;

const catalogues: Record<'en' | 'zh-CN', Phrases> = { en, 'zh-CN': zh };

/** The phrases of the chosen language. `useLanguage` at the root draws everything again when it changes. */
export let t: Phrases = catalogues[preferences.value.language];

/** Follows the choice of the language. */
export function useLanguage(): void {
  const { language } = useStore(preferences);
  t = catalogues[language];
  useLayoutEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
}
