import type { ResponseOf } from '@continuity/client';
import { Store } from '../ui/store.ts';

export type Caller = ResponseOf<'get_caller'>;
export type Role = Caller['role'];

const tokenKey = 'token';
const roles: readonly Role[] = ['reader', 'writer', 'reviewer', 'admin'];

/** Why the dialog Sign in is open: nothing yet, or what the service said to the last token. */
interface SignIn {
  refusal: string | null;
}

function storedToken(): string | null {
  try {
    return sessionStorage.getItem(tokenKey);
  } catch {
    return null;
  }
}

let token = storedToken();
let waiting: { promise: Promise<void>; resolve(): void } | undefined;

/** Null while nobody has to sign in. */
export const signIn = new Store<SignIn | null>(null);

/** Who calls, as the service says; undefined until it answered. */
export const caller = new Store<Caller | undefined>(undefined);

/** The token of this tab. Only calls of the API use it. */
export function currentToken(): string | null {
  return token;
}

/** Opens the dialog Sign in, and resolves when the service took a token. */
export function requireToken(): Promise<void> {
  if (waiting === undefined) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = { promise, resolve };
    signIn.set({ refusal: null });
  }
  return waiting.promise;
}

/**
 * Tries a token at the service. On success, waiting calls go on; a token of another tenant starts the page afresh. Otherwise the
 * dialog says why.
 */
export async function tryToken(
  candidate: string,
  said: { isReceiver: string; unreachable: string },
): Promise<void> {
  if (candidate.startsWith('skt_')) {
    signIn.set({ refusal: said.isReceiver });
    return;
  }
  const answer = await askCaller(candidate).catch(() => undefined);
  if (answer === undefined) signIn.set({ refusal: said.unreachable });
  else if (typeof answer === 'string') signIn.set({ refusal: answer });
  else accept(candidate, answer);
}

/** The caller of a token, or the message of a refusal. */
async function askCaller(candidate: string): Promise<Caller | string> {
  const response = await fetch('../v1/caller', {
    headers: { authorization: `Bearer ${candidate}` },
    cache: 'no-store',
    signal: AbortSignal.timeout(30_000),
  });
  const body = await response.json();
  return response.ok ? (body as Caller) : String(body?.error?.message ?? response.status);
}

function accept(candidate: string, now: Caller): void {
  const before = caller.value ?? tenantOfTab();
  token = candidate;
  if (before !== undefined && before.tenant !== now.tenant) {
    restart();
    return;
  }
  store(tokenKey, candidate);
  setCaller(now);
  signIn.set(null);
  waiting?.resolve();
  waiting = undefined;
}

/** Remembers who calls, for roles and drafts. */
export function setCaller(now: Caller): void {
  store('tenant', now.tenant);
  caller.set(now);
}

/** The tenant of the drafts in this tab. */
function tenantOfTab(): { tenant: string } | undefined {
  const tenant = readStored('tenant');
  return tenant === null ? undefined : { tenant };
}

/** Drops everything of the tenant: token, drafts, cache and page (spec 60 §5.3.3). */
export function signOut(): void {
  token = null;
  restart();
}

/** Empties the page and loads it again, with the token that is set, if any. */
function restart(): void {
  document.body.replaceChildren();
  sessionStorage.clear();
  if (token !== null) store(tokenKey, token);
  location.replace('./');
}

function store(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Without storage, the token lives until the tab is loaded again.
  }
}

function readStored(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Whether a role may do what `needed` may. Unknown until the service said who calls: then nothing is hidden. */
export function may(needed: Role, now: Caller | undefined = caller.value): boolean {
  return now === undefined || roles.indexOf(now.role) >= roles.indexOf(needed);
}
