import { Store, useStore } from '../ui/store.ts';

/** Where the person is: a page, its parameters, and words typed, which never leave the browser (spec 60 §6.2). */
export interface Place {
  /** One segment below `console/`; empty for Home. */
  segment: string;
  query: URLSearchParams;
  typed: URLSearchParams;
}

/** `…/console/` */
const base = new URL('./', location.href);

function read(): Place {
  const { pathname, search, hash } = location;
  return {
    segment: pathname.startsWith(base.pathname) ? pathname.slice(base.pathname.length) : '',
    query: new URLSearchParams(search),
    typed: new URLSearchParams(hash.slice(1)),
  };
}

export const place = new Store<Place>(read());
export const usePlace = (): Place => useStore(place);

addEventListener('popstate', () => place.set(read()));

type Values = Record<string, string | number | boolean | null | undefined>;

/** The relative address of a page. Empty values are left out. */
export function addressOf(segment: string, values: Values = {}, typed: Values = {}): string {
  const query = toParams(values);
  const words = toParams(typed);
  return `${segment === '' ? './' : segment}${query === '' ? '' : `?${query}`}${words === '' ? '' : `#${words}`}`;
}

function toParams(values: Values): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  return params.toString();
}

/** Goes to an address of the console. Choosing adds to the history; typing replaces. */
export function go(address: string, { replace = false } = {}): void {
  const url = new URL(address, base);
  if (url.href === location.href) return;
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  place.set(read());
}

/** Follows links to pages without loading the console again. */
export function followLinks(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (
    !(link instanceof HTMLAnchorElement) ||
    event.defaultPrevented ||
    link.target !== '' ||
    link.hasAttribute('download')
  )
    return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const url = new URL(link.href);
  const isPage = url.origin === base.origin && url.pathname.startsWith(base.pathname);
  const isAnchor =
    url.pathname === location.pathname && url.search === location.search && /^#[^=]+$/.test(url.hash);
  if (!isPage || isAnchor) return;
  event.preventDefault();
  go(link.href);
}
