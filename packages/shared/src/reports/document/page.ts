import type { ReportFrame } from '../model/frame.ts';
import { cleanText } from './clean-text.ts';
import { escapeHtml } from './html.ts';
import { type EntryLine, reportTitle } from './overview.ts';
import { metaPolicy, pageStyle } from './page-style.ts';
import type { Words } from './words.ts';

/** The page up to the content of `main` (spec 30 §4.11.5). */
export function pageStart(frame: ReportFrame, entries: readonly EntryLine[], w: Words): string {
  const time = frame.generated_at;
  return [
    '<!doctype html>',
    `<html lang="${frame.locale}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(metaPolicy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(pageTitle(frame, w))}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${pageStyle}</style>`,
    '</head>',
    '<body>',
    `<header><p>${w.generated}: <time datetime="${time}">${time}</time></p></header>`,
    ...contents(entries, w),
    '<main>',
    '',
  ].join('\n');
}

/** The end of the page, after the content of `main`. */
export const pageEnd = '</main>\n</body>\n</html>\n';

function pageTitle(frame: ReportFrame, w: Words): string {
  const title = reportTitle(frame, w);
  return frame.project === null ? title : `${title} — ${cleanText(frame.project.title)}`;
}

/** Links to the entries, if there are several. */
function contents(entries: readonly EntryLine[], w: Words): string[] {
  if (entries.length < 2) return [];
  const links = entries.map(
    ({ title }, index) =>
      `<li><a href="#entry-${index + 1}"><bdi>${escapeHtml(cleanText(title))}</bdi></a></li>`,
  );
  return [`<nav aria-label="${w.contents}"><ul>`, ...links, '</ul></nav>'];
}
