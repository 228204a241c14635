import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { readFailedAgain, refresh, useCall } from '../api/calls.ts';
import { downSince } from '../api/connection.ts';
import { call } from '../api/service.ts';
import { caller, setCaller } from '../api/session.ts';
import { t, useLanguage } from '../catalog/index.ts';
import { useKey } from '../keys/use-key.ts';
import { addressOf, go, usePlace } from '../routing/place.ts';
import { busy, useBusy } from '../ui/busy.ts';
import { dismiss, messages } from '../ui/messages.ts';
import { PageHead } from '../ui/page.tsx';
import { preferences } from '../ui/preferences.ts';
import { Empty, Loading } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { Banner } from './banner.tsx';
import { Dialogs, openDialog } from './dialogs.tsx';
import { Navigation } from './navigation.tsx';
import { pages } from './pages.ts';
import { SignInDialog } from './sign-in.tsx';

const probeMs = 2_000;

/** The frame of every page (spec 60 §6.1). */
export function App() {
  useLanguage();
  const { theme } = useStore(preferences);
  const [isMenuOpen, setMenuOpen] = useState(false);
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  useKey('keys', () => openDialog.set('keys'));
  useKey('requests', () => openDialog.set('requests'));
  useKey('jump', () => openDialog.set('jump'));
  useKey('refresh', refresh);
  return (
    <>
      <Banner isMenuOpen={isMenuOpen} onMenu={() => setMenuOpen(!isMenuOpen)} />
      <div class="body">
        <Navigation isOpen={isMenuOpen} onChosen={() => setMenuOpen(false)} />
        <Main />
      </div>
      <Messages />
      <Dialogs />
      <SignInDialog />
    </>
  );
}

function Main() {
  const { segment } = usePlace();
  const isBusy = useStore(busy);
  // The role decides which controls the page draws.
  useStore(caller);
  const who = useCall('getCaller', {}, { isImmutable: true });
  useLayoutEffect(() => {
    if (who.data !== undefined) setCaller(who.data);
  }, [who.data]);
  return (
    <main id="main" tabIndex={-1} aria-busy={isBusy}>
      <Outage />
      <PageOf key={segment} segment={segment} />
    </main>
  );
}

/** Loads and draws a page, and moves the focus to its heading unless it is the first one. */
function PageOf({ segment }: { segment: string }) {
  const page = pages.find((one) => one.segment === segment);
  const [Page, setPage] = useState<ComponentType | null>(null);
  const [isMissing, setMissing] = useState(false);
  useBusy(page !== undefined && Page === null && !isMissing);
  useEffect(() => {
    page?.load().then(
      (loaded) => setPage(() => loaded),
      () => setMissing(true),
    );
  }, [page]);
  useFocusOnHeading(Page !== null);
  useEffect(() => {
    if (segment === '' && page === undefined) go(pages[0]?.segment ?? '', { replace: true });
  }, [segment, page]);
  if (isMissing) return <NewVersion />;
  if (page === undefined)
    return (
      <>
        <PageHead title={t.notFoundTitle} />
        <Empty>
          <p>{t.noSuchPage}</p>
          <p>
            <a href={addressOf('')}>{t.pages.home}</a>
          </p>
        </Empty>
      </>
    );
  return Page === null ? <Loading rows={6} /> : <Page />;
}

let hasDrawnPage = false;

function useFocusOnHeading(isDrawn: boolean): void {
  const done = useRef(false);
  useLayoutEffect(() => {
    if (!isDrawn || done.current) return;
    done.current = true;
    if (hasDrawnPage) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    if (hasDrawnPage) scrollTo(0, 0);
    hasDrawnPage = true;
  }, [isDrawn]);
}

/** Shown where a file of the page is missing, as after an upgrade (spec 60 §4.6). Drafts survive. */
function NewVersion() {
  return (
    <div class="empty" role="alert">
      <p>{t.newVersion}</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {t.reload}
      </button>
    </div>
  );
}

/** Says that the service does not answer, asks until it does, and then reads again what failed. */
function Outage() {
  const since = useStore(downSince);
  const wasDown = useRef(false);
  useEffect(() => {
    if (since === null && wasDown.current) readFailedAgain();
    wasDown.current = since !== null;
    if (since === null) return undefined;
    const probe = setInterval(async () => {
      const readiness = await call('getReadiness', {}).catch(() => undefined);
      if (readiness !== undefined && readiness.status !== 'not_ready') downSince.set(null);
    }, probeMs);
    return () => clearInterval(probe);
  }, [since]);
  if (since === null) return null;
  return (
    <p class="note warning" role="alert">
      {t.outage(since.toLocaleTimeString())}
    </p>
  );
}

function Messages() {
  const all = useStore(messages);
  return (
    <div class="messages">
      <div role="status" aria-label={t.messages}>
        {all.map(
          ({ number, isFailure, content }) =>
            !isFailure && (
              <p key={number}>
                {content}{' '}
                <button type="button" class="quiet" onClick={() => dismiss(number)}>
                  {t.dismiss}
                </button>
              </p>
            ),
        )}
      </div>
      {all.map(
        ({ number, isFailure, content }) =>
          isFailure && (
            <p key={number} role="alert">
              {content}{' '}
              <button type="button" class="quiet" onClick={() => dismiss(number)}>
                {t.dismiss}
              </button>
            </p>
          ),
      )}
    </div>
  );
}
