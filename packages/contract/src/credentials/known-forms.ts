import { matchSpans, type Span } from './spans.ts';

/**
 * Tokens that their form identifies. Each pattern starts at the beginning of a run of word characters, so that it is tested once per
 * run. Prefixes are those of the vendors' documentation; `pk_live_` of Stripe is missing, because it is a publishable key.
 * The limit of repetitions is `maxRepetitions`.
 */
const start = '(?<![\\w-])';

function token(prefixes: string, rest: string): RegExp {
  return new RegExp(`${start}(?:${prefixes})${rest}`, 'g');
}

export const tokenPatterns: readonly RegExp[] = [
  token('AKIA|ASIA|AROA|AIDA|ABIA|ACCA', '[A-Z0-9]{16}'),
  token(
    'gh[pousr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|soat)-|npm_|pypi-|hf_|dop_v1_|whsec_|skt_|dckr_pat_|sntrys_|lin_api_|ntn_|figd_|gsk_|xai-|sgp_|rubygems_|pul-|PMAK-|shippo_(?:live|test)_|tskey-[a-z]{2,12}-|GOCSPX-',
    '[\\w-]{16,4000}',
  ),
  token(
    'sk-(?!ssh-|ecdsa-)|sk-ant-|[rs]k_(?:live|test)_|xox[abeoprs]-|xapp-|AGE-SECRET-KEY-',
    '[\\w-]{10,4000}',
  ),
  token('AIza|shp(?:at|ca|pa|ss)_', '[\\w-]{30,4000}'),
  token('ya29|hv[sbr]', '\\.[\\w-]{20,4000}'),
  token('SG', '\\.[\\w-]{16,64}\\.[\\w-]{16,4000}'),
  token('eyJ', '[\\w-]{8,4000}\\.[\\w-]{8,4000}(?:\\.[\\w-]{0,4000})?'),
  // A bot token of Telegram.
  token('\\d{8,10}', ':AA[\\w-]{33}'),
  // User and password in an address.
  /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:[^\s@/]{1,200}@\S{0,4000}/gi,
  /hooks\.slack\.com\/services\/\S{1,4000}|discord(?:app)?\.com\/api\/webhooks\/\S{1,4000}/gi,
  /[?&](?:key|sig|signature|token|access_token|api_?key|secret|password|x-amz-signature|x-amz-security-token|x-goog-signature)=(?<value>[^\s&#]{6,4000})/dgi,
];

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
