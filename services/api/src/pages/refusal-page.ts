import type { ServiceError } from '@continuity/kernel/errors';
import type { FastifyRequest } from 'fastify';
import { rawPath } from '../http/raw-path.ts';
import type { Rendered } from './serve-pages.ts';

/** Paths that people open in a browser. */
const pagesForPeople: readonly string[] = ['/', '/docs', '/redoc', '/reports/view'];
const reportSelections: readonly string[] = ['project_id', 'scope_id', 'root_scope_id'];

/**
 * The page that tells a person in a browser what to do after a 401, or after a request for a report that selects nothing. Undefined
 * for other errors, paths and clients: their answer is the envelope. The page holds nothing of the request. With `hasConsole` it links to
 * the console, which takes a token.
 */
export function refusalPage(
  request: FastifyRequest,
  { status }: ServiceError,
  hasConsole: boolean,
): Rendered | undefined {
  const { method, originalUrl, headers } = request;
  const path = rawPath(originalUrl);
  const isBrowser = method === 'GET' && (headers.accept ?? '').includes('text/html');
  if (!isBrowser || !pagesForPeople.includes(path)) return undefined;
  if (status === 401)
    return page('This page needs a token', hasConsole ? consoleAdvice(path) + tokenAdvice : tokenAdvice);
  const selectsNothing = path === '/reports/view' && !hasSelection(originalUrl);
  return status === 422 && selectsNothing ? page('Choose a report', reportForms) : undefined;
}

function hasSelection(target: string): boolean {
  const query = new URLSearchParams(target.split('?').slice(1).join('?'));
  return reportSelections.some((name) => query.has(name));
}

const tokenAdvice = `<p>The service reads the token only from the header <code>Authorization: Bearer &lt;token&gt;</code>. A browser
does not send this header by itself, and this page has no login.</p>
<ul>
<li>For yourself: use a browser extension that sets the header for this address, or a proxy on your machine that adds it.</li>
<li>For many users: let your reverse proxy add the header for signed-in users.</li>
<li>For one file: <code>curl -H "Authorization: Bearer $TOKEN" &lt;this address&gt;</code></li>
</ul>
<p>The operator of the service issues tokens.</p>
`;

/** A relative address: the service may lie below a path of a reverse proxy. */
function consoleAdvice(path: string): string {
  const up = '../'.repeat(path.split('/').length - 2);
  return `<p>To see Memory, Sources and what waits for review, <a href="${up}console/">open the console</a>. It asks for the token.</p>\n`;
}

const reportForms = `<p>Give the id of exactly one of these. <code>continuity scopes list</code> lists the Scopes.</p>
${reportForm('scope_id', 'One Scope')}${reportForm('root_scope_id', 'A Scope and those below it')}${reportForm('project_id', 'A Project')}`;

function reportForm(name: string, label: string): string {
  return `<form><p><label>${label}: <input name="${name}" required></label> <button>Show the report</button></p></form>\n`;
}

function page(title: string, content: string): Rendered {
  return {
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>${title}</h1>
${content}</body>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      Vary: 'Accept',
    },
  };
}
