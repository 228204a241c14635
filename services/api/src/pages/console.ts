import { existsSync, readFileSync } from 'node:fs';
import type { OperationSpec } from '@continuity/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownRoute } from '../http/unknown-route.ts';
import { entityTag, hasMatch } from './serve-pages.ts';

const folder = new URL('../../../../dist/console/', import.meta.url);

/** Limit of all files with their compressed forms, in bytes (spec 60 §4.1). */
const maxTotalBytes = 2 * 1024 * 1024;

const contentTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** spec 60 §5.1 */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types console",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

interface Coded {
  body: Buffer;
  tag: string;
}

interface ConsoleFile {
  type: string;
  /** The name has a digest of the content, so that the file never changes. */
  isHashed: boolean;
  coded: Record<Encoding, Coded>;
}

/** The files of the console by name. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** For the `Allow` of other methods. */
export const consoleRoutes: readonly Pick<OperationSpec, 'method' | 'path'>[] = [
  { method: 'GET', path: '/console' },
  { method: 'GET', path: '/console/' },
  { method: 'GET', path: '/console/{segment}' },
];

/** Whether a raw path is the console or below it. */
export function isConsolePath(path: string): boolean {
  return path === '/console' || path.startsWith('/console/');
}

let files: ConsoleFiles | undefined;

/** Reads the built files once in a process. Throws if they are missing, or exceed 2 MiB together. */
export function readConsole(): ConsoleFiles {
  files ??= readFiles();
  return files;
}

function readFiles(): ConsoleFiles {
  const manifest = new URL('.files', folder);
  if (!existsSync(manifest))
    throw new Error(
      'The files of the web console are missing. Run `node scripts/build.mjs`, or set CONSOLE=off.',
    );
  const names = readFileSync(manifest, 'utf8')
    .split('\n')
    .filter((name) => !/\.(br|gz)$/.test(name));
  const read = new Map(names.map((name) => [name, readFile(name)]));
  const total = [...read.values()]
    .flatMap(({ coded }) => Object.values(coded))
    .reduce((sum, { body }) => sum + body.length, 0);
  if (total > maxTotalBytes)
    throw new Error(`The files of the web console have ${total} bytes, more than ${maxTotalBytes}.`);
  return read;
}

function readFile(name: string): ConsoleFile {
  const read = (suffix: string): Coded => {
    const body = readFileSync(new URL(name + suffix, folder));
    return { body, tag: entityTag(body) };
  };
  return {
    type: contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    isHashed: /-[\w-]{8}\.\w+$/.test(name),
    coded: { br: read('.br'), gzip: read('.gz'), identity: read('') },
  };
}

/** Serves the console from memory (spec 60 §4). A path without a dot is a page of it: the script reads the address. */
export function serveConsole(app: FastifyInstance, files: ConsoleFiles): void {
  const config = { page: 'console' };
  // The location is relative, so that it holds behind a proxy that serves the service below a path.
  app.get('/console', { config }, (_request, reply) => reply.redirect('console/', 308));
  app.get('/console/', { config }, (request, reply) => send(files, 'index.html', request, reply));
  app.get<{ Params: { segment: string } }>('/console/:segment', { config }, (request, reply) => {
    const { segment } = request.params;
    return send(files, segment.includes('.') ? segment : 'index.html', request, reply);
  });
}

function send(files: ConsoleFiles, name: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const file = files.get(name);
  if (file === undefined) throw unknownRoute();
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const { body, tag } = file.coded[encoding];
  reply.header('Vary', 'Accept-Encoding');
  if (name === 'index.html') reply.headers(pageHeaders);
  if (file.isHashed) reply.header('Cache-Control', 'public, max-age=31536000, immutable');
  else reply.headers({ 'Cache-Control': 'no-cache', ETag: tag });
  if (!file.isHashed && hasMatch(request.headers['if-none-match'], tag)) return reply.status(304).send();
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
  return reply.type(file.type).send(body);
}

/** Brotli, else gzip, else none, of those that the browser accepts with a quality above 0 (RFC 9110 §12.5.3). */
function chooseEncoding(accepted: string | string[] | undefined): Encoding {
  const offers = new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((offer) => {
        const [coding = '', ...parameters] = offer.split(';').map((part) => part.trim());
        return [coding, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))];
      }),
  );
  return encodings.find((encoding) => offers.get(encoding) ?? offers.get('*') ?? false) ?? 'identity';
}
