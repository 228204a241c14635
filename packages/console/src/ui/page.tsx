import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { refresh } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';

/** The heading of a page with its title, and notes about parameters that the address has in vain. */
export function PageHead({
  title,
  ignored = [],
  children,
}: {
  title: string;
  ignored?: string[];
  children?: ComponentChildren;
}) {
  useLayoutEffect(() => {
    document.title = `${title} · Continuity`;
  }, [title]);
  return (
    <div class="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      <button type="button" class="quiet" aria-keyshortcuts={shortcutsOf('refresh')} onClick={refresh}>
        {t.refresh}
      </button>
      {children}
      {ignored.length > 0 && (
        <p class="note" role="note">
          {t.ignoredParameters(ignored.join(', '))}
        </p>
      )}
    </div>
  );
}
