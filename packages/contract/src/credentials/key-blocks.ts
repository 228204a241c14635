import { matchSpans, type Span } from './spans.ts';

/** PEM and OpenPGP blocks of a text: of secrets, and of public keys and certificates. */
export interface KeyBlocks {
  secret: Span[];
  public: Span[];
}

const begin = /-----BEGIN ([A-Z0-9 ]{1,60})-----/g;
const end = '-----END';
const publicLabel =
  /(?:PUBLIC KEY|CERTIFICATE|PUBLIC KEY BLOCK|CERTIFICATE REQUEST|X509 CRL|PARAMETERS|SIGNATURE|MESSAGE)$/;

/** Finds the key blocks of a text. A block without an end extends to the end of the text. */
export function findKeyBlocks(text: string): KeyBlocks {
  const blocks: KeyBlocks = { secret: [], public: [] };
  // A loop, because a lazy regular expression would search for a missing end once for each BEGIN line.
  begin.lastIndex = 0;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const at = text.indexOf(end, begin.lastIndex);
    const tail = at === -1 ? null : /^-----END[A-Z0-9 ]{0,60}(?:-----)?/.exec(text.slice(at, at + 80));
    const span = { start: match.index, end: at === -1 ? text.length : at + (tail?.[0].length ?? end.length) };
    blocks[publicLabel.test(match[1] ?? '') ? 'public' : 'secret'].push(span);
    begin.lastIndex = span.end;
  }
  return blocks;
}

const sshPublicKey =
  /(?<![\w-])(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)[ \t]{1,4}AAAA[\w+/=]{16,4000}/g;
const namedPublicKey =
  /(?:public[ _-]?key|verify[ _-]?key|öffentliche[rn]? schlüssel|clé publique|clave pública|chave pública|chiave pubblica|открыт\p{L}{1,3} ключ|публичн\p{L}{1,3} ключ|公钥|公鑰|公開鍵|공개 ?키)["'`*]{0,3}[ \t]{0,4}(?:\p{L}{1,8}[ \t]{1,4}|[:=\uFF1A—–-]{1,2}[ \t]{0,4}|[は是为為]\s{0,2})?["'`]{0,2}(?<value>[\w+/=-]{24,4000})/dgiu;
const otherPublicKeys = /(?<![\w-])(?:age1[02-9ac-hj-np-z]{50,4000}|pk_(?:live|test)_\w{1,4000})/g;

/** Finds public keys that stand in a line: OpenSSH's, age recipients, publishable keys of Stripe, and what the text calls a public key. */
export function findPublicKeys(text: string): Span[] {
  return [sshPublicKey, namedPublicKey, otherPublicKeys].flatMap((pattern) => [...matchSpans(text, pattern)]);
}
