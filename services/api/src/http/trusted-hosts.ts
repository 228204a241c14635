import type { Settings } from '@continuity/kernel/config';
import { serviceError } from '@continuity/kernel/errors';
import { isAuthenticationOn } from '@continuity/shared/tenants';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isConsolePath } from '../pages/index.ts';
import { rawPath } from './raw-path.ts';

/** Throws 421 for a request that a web page of another site may have sent. */
type HostGuard = (request: FastifyRequest) => void;

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const readingMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
/** Pages for people without data of a tenant: a link on another site may open them. The health paths are public anyway. */
const linkedPages: readonly string[] = ['/', '/docs', '/redoc'];

/**
 * Protects a service without authentication from web pages (spec 00 §6). A page that has rebound its name to this machine sends
 * that name as `Host`; any other page sends its own `Origin` with a write, and browsers mark its reads by `Sec-Fetch-Site`. It cannot
 * see the answer to a read, but could make the service work. With authentication, a page lacks the token.
 */
export function guardHosts(settings: Settings): HostGuard {
  if (isAuthenticationOn(settings)) return () => undefined;
  const configured = new Set([hostOf(settings.HOST), ...(settings.ALLOWED_HOSTS ?? [])]);
  return (request) => {
    const { originalUrl, headers } = request;
    // The authority of an absolute target replaces Host (RFC 9112 §3.2.2).
    const authority = (/^https?:\/\/([^/?]*)/i.exec(originalUrl)?.[1] ?? headers.host)?.toLowerCase();
    // Browsers always send Host.
    if (authority !== undefined && !isServed(nameOf(authority), configured)) {
      throw serviceError('misdirected_request');
    }
    const page = headers.origin === undefined ? undefined : authorityOfOrigin(headers.origin);
    if (page !== undefined && settings.ALLOWED_HOSTS?.includes(nameOf(page))) return;
    if (readingMethods.includes(request.method)) refuseCrossSiteRead(request);
    else if (page !== undefined && page !== authority) throw foreignPage('write');
  };
}

function refuseCrossSiteRead({ originalUrl, headers }: FastifyRequest): void {
  const path = rawPath(originalUrl);
  if (headers['sec-fetch-site'] !== 'cross-site' || linkedPages.includes(path) || isConsolePath(path)) return;
  throw foreignPage('read');
}

function foreignPage(access: 'read' | 'write') {
  const [what, instead] =
    access === 'read'
      ? ['answers no request from a web page of another site', 'Enter the address yourself, add']
      : ['takes no write from a web page of another origin', 'Add'];
  return serviceError('misdirected_request', {
    message: `Without authentication the service ${what}. ${instead} the host of the page to ALLOWED_HOSTS, or configure a token.`,
  });
}

/** Answers 400 to a request with several `Host` headers (RFC 9112 §3.2): Node drops all but the first, a proxy may use another one. */
export function refuseSeveralHosts(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const names = request.raw.rawHeaders.filter((_name, index) => index % 2 === 0);
    if (names.filter((name) => name.toLowerCase() === 'host').length <= 1) {
      done();
      return;
    }
    const message = 'Send one `Host` header, not several.';
    request.failure = serviceError('invalid_request', { message, details: { issues: [] } });
    // The status of HTTP errors, with the code that their answers have (`answerClientError`).
    reply.status(400).send(request.failure.toEnvelope());
  });
}

function isServed(name: string, configured: ReadonlySet<string>): boolean {
  return loopback.test(name) || configured.has(name);
}

/** The host and port of an `Origin`; empty for `null` and for anything else without them. */
function authorityOfOrigin(origin: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/]*)$/i.exec(origin)?.[1]?.toLowerCase() ?? '';
}

/** `name:port` without the port and without the dot of a fully qualified name. */
function nameOf(authority: string): string {
  return authority.replace(/:\d*$/, '').replace(/\.$/, '');
}

/** An address as `Host` has it: IPv6 in brackets. */
function hostOf(address: string): string {
  return address.includes(':') ? `[${address.toLowerCase()}]` : address.toLowerCase();
}
