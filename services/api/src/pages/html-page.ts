import { randomBytes } from 'node:crypto';
import type { Page } from './serve-pages.ts';

/** Sources that a page may load besides scripts, styles and the document of this server. */
interface PageNeeds {
  title: string;
  /** Paths relative to the page. */
  styles: string[];
  scripts: string[];
  /** Additional directives of the content security policy, such as `worker-src`. */
  policy?: Record<string, string>;
}

/**
 * An HTML page that loads from this server only, enforced by its content security policy. Styles that a script creates
 * must carry the nonce of the response, which the script reads from its own element.
 */
export function htmlPage(path: string, needs: PageNeeds): Page {
  return {
    method: 'GET',
    path,
    contentType: 'text/html; charset=utf-8',
    body: {
      rendered: () => {
        const nonce = randomBytes(16).toString('base64');
        return {
          body: render(needs, nonce),
          headers: {
            'Content-Security-Policy': policyOf(nonce, needs.policy),
            'Referrer-Policy': 'no-referrer',
          },
        };
      },
    },
  };
}

function policyOf(nonce: string, own: Record<string, string> = {}): string {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...own,
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ');
}

function render({ title, styles, scripts }: PageNeeds, nonce: string): string {
  const lines = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    '<link rel="icon" href="data:,">',
    ...styles.map((href) => `<link rel="stylesheet" href="${href}">`),
    '</head>',
    '<body>',
    '<div id="page"></div>',
    ...scripts.map((src) => `<script src="${src}" nonce="${nonce}"></script>`),
    '</body>',
    '</html>',
  ];
  return `${lines.join('\n')}\n`;
}
