import type { Issue } from '@continuity/contract';
import type { RepositoryRef } from '@continuity/contract/reports';
import { isBlank, trimWhite } from '@continuity/contract/text';

/** A value in its normalized form, or why it has none. */
type Normalized = { value: string } | { problem: string };

const forbidden = /[@?#\\\p{White_Space}\uFEFF\p{Cc}]/u;
const scheme = /^[A-Za-z][A-Za-z0-9+.-]*$/;
/** Host, or an IPv6 address in brackets, then perhaps a port. */
const authority = /^(\[[^[\]]+\]|[^:[\]]+)(?::(.*))?$/;

/**
 * Normalizes the fields of a reference (spec 30 §5.6.3). Returns the issues instead if a field has no normalized form or no field is
 * given.
 */
export function normalizeRepositoryRef(ref: RepositoryRef): { ref: RepositoryRef } | { issues: Issue[] } {
  const { provider, repository_id, normalized_remote, subpath } = ref;
  if (repository_id === null && normalized_remote === null && subpath === null) {
    const message = 'must have a repository_id, a normalized_remote or a subpath';
    return { issues: [{ path: 'repository_ref', message }] };
  }
  const remote = normalized_remote === null ? null : normalizeRemote(normalized_remote);
  const path = subpath === null ? null : normalizeSubpath(subpath);
  const issues = [...findIssue('normalized_remote', remote), ...findIssue('subpath', path)];
  if (issues.length > 0) return { issues };
  return {
    ref: { provider, repository_id, normalized_remote: textOf(remote), subpath: textOf(path) },
  };
}

/** `HTTPS://GitHub.COM/Acme//Shop/./` → `https://github.com/Acme/Shop`; `github.com/acme/shop/` → `github.com/acme/shop` */
export function normalizeRemote(remote: string): Normalized {
  if (forbidden.test(remote)) {
    return { problem: 'must have no @, ?, #, backslash, white space or control character' };
  }
  const at = remote.indexOf('://');
  return at === -1 ? normalizePlainRemote(remote) : normalizeUrl(remote.slice(0, at), remote.slice(at + 3));
}

/** `a\b//./c/` → `a/b/c` */
export function normalizeSubpath(subpath: string): Normalized {
  const path = subpath.replaceAll('\\', '/');
  if (path.startsWith('/')) return { problem: 'must not begin with a slash' };
  const segments = segmentsOf(path);
  if (segments.includes('..')) return { problem: 'must have no .. segment' };
  if (segments[0]?.endsWith(':')) return { problem: 'must not begin with a drive' };
  const value = segments.length === 0 ? '.' : segments.join('/');
  if (isBlank(value) || trimWhite(value) !== value) {
    return { problem: 'must have no white space at its start or end once it is normalized' };
  }
  return { value };
}

function normalizePlainRemote(remote: string): Normalized {
  const value = withoutEndSlashes(remote);
  return value === '' ? { problem: 'must have more than slashes' } : { value };
}

function normalizeUrl(name: string, rest: string): Normalized {
  if (!scheme.test(name)) return { problem: 'must have a valid scheme before ://' };
  const slash = rest.indexOf('/');
  const place = slash === -1 ? rest : rest.slice(0, slash);
  const segments = slash === -1 ? [] : segmentsOf(rest.slice(slash));
  const [, host, port] = authority.exec(place) ?? [];
  if (host === undefined) return { problem: 'must have a host' };
  if (port !== undefined && !isPort(port)) return { problem: 'must have a port from 1 to 65535, or none' };
  if (segments.includes('..')) return { problem: 'must have no .. segment' };
  const base = `${toLowerAscii(name)}://${toLowerAscii(host)}${port === undefined ? '' : `:${port}`}`;
  return { value: [base, ...segments].join('/') };
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function isPort(port: string): boolean {
  return /^[0-9]+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535;
}

/** Letters of other scripts keep their case. */
function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A loop, because a regular expression for the end backtracks over inner runs of slashes. */
function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

function findIssue(field: string, normalized: Normalized | null): Issue[] {
  if (normalized === null || 'value' in normalized) return [];
  return [{ path: `repository_ref.${field}`, message: normalized.problem }];
}

function textOf(normalized: Normalized | null): string | null {
  return normalized !== null && 'value' in normalized ? normalized.value : null;
}
