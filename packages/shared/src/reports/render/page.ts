import { createHash } from 'node:crypto';
import type { ReportFrame } from '../content/frame.ts';
import { escapeHtml } from './html.ts';
import { cleanText } from './lines.ts';
import { type EntryLine, reportTitle } from './overview.ts';
import type { Words } from './words.ts';

/** The one style sheet of the page. Colors have a contrast of at least 4.5 to 1 in both schemes. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --page: #ffffff; --raised: #f3f5f7; --line: #d0d7de; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --soft: #9da7b3; --page: #0d1117; --raised: #1c222b; --line: #3a424d; --link: #79b8ff; }
}
* { box-sizing: border-box; }
html { background: var(--page); color: var(--text); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere; }
header { color: var(--soft); font-size: .875rem; }
header p, nav ul { margin: 0; }
nav { margin: 1rem 0; padding: .75rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; }
nav ul { padding: 0; list-style: none; columns: 16rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 .5em; }
h1 { font-size: 1.75rem; margin-top: .75rem; }
h2 { font-size: 1.35rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.15rem; padding-top: .75rem; }
h4 { font-size: 1rem; color: var(--soft); margin: 1.1em 0 .35em; }
p { margin: .5em 0; }
ul { margin: .4em 0; padding-left: 1.25rem; }
ul ul { color: var(--soft); font-size: .9rem; }
blockquote { margin: 1rem 0; padding: .25rem 1rem; background: var(--raised); border-left: .25rem solid var(--soft); }
code { font: .875em/1.4 ui-monospace, "SFMono-Regular", "DejaVu Sans Mono", "Noto Sans Mono", monospace; background: var(--raised); padding: .1em .3em; border-radius: .25rem; white-space: pre-wrap; unicode-bidi: isolate; }
bdi { white-space: pre-wrap; }
a { color: var(--link); }
main > div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; overflow-wrap: normal; }
th, td { padding: .4rem .6rem; text-align: start; vertical-align: top; border: 1px solid var(--line); }
td { min-width: 9rem; max-width: 24rem; overflow-wrap: anywhere; }
th { background: var(--raised); white-space: nowrap; }
@media print {
  :root { color-scheme: light; --text: #000; --soft: #000; --page: #fff; --raised: #fff; --line: #000; --link: #000; }
  nav { display: none; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  main > div { overflow: visible; }
  td { min-width: 0; }
  main a::after { content: " <" attr(href) ">"; }
  h1, h2, h3, h4 { break-after: avoid; }
  thead { display: table-header-group; }
  tr, li { break-inside: avoid; }
}
`;

const styleDigest = createHash('sha256').update(pageStyle, 'utf8').digest('base64');

const directives = [
  "default-src 'none'",
  'img-src data:',
  `style-src 'sha256-${styleDigest}'`,
  "base-uri 'none'",
  "form-action 'none'",
];

/** The policy of the `meta` element, which cannot forbid frames. */
export const metaPolicy: string = directives.join('; ');

/** The header `Content-Security-Policy` of the page. */
export const pagePolicy: string = [...directives, "frame-ancestors 'none'"].join('; ');

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
