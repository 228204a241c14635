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
    'gh[pousr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|soat)-|pypi-|hf_|dop_v1_|whsec_|skt_|dckr_pat_|sntrys_|lin_api_|ntn_|figd_|gsk_|xai-|sgp_|rubygems_|pul-|PMAK-|shippo_(?:live|test)_|tskey-[a-z]{2,12}-|GOCSPX-|glsa_|glc_|sbp_|NRAK-|pplx-|r8_|fm[12][ar]?_|sq0[a-z]{3}-|ops_eyJ|LTAI(?=\\w{0,26}\\d)|EAA[A-Z](?=\\w{0,60}\\d\\w{24})',
    '[\\w-]{16,4000}={0,2}',
  ),
  token(
    'sk-(?!ssh-|ecdsa-)|sk-ant-|[rs]k_(?:live|test)_|xox[abeoprs]-|xapp-|AGE-SECRET-KEY-',
    '[\\w-]{10,4000}',
  ),
  token('npm_', '[A-Za-z0-9]{20,4000}(?!\\w)'),
  token('AIza|shp(?:at|ca|pa|ss)_', '[\\w-]{30,4000}'),
  token('ya29|hv[sbr]', '\\.[\\w.-]{20,4000}'),
  token('SG', '\\.[\\w-]{16,64}\\.[\\w-]{16,4000}'),
  token('eyJ', '[\\w-]{8,4000}\\.[\\w-]{8,4000}(?:\\.[\\w-]{0,4000})?'),
  // Bot tokens of Telegram and Discord.
  /(?<!\d)\d{8,10}:AA[\w-]{30,40}/g,
  token('[MNO][\\w-]{22,27}', '\\.[\\w-]{6}\\.[\\w-]{27,40}'),
  // Atlassian.
  token('ATATT3x|ATCTT3x|ATBB', '[\\w=-]{16,4000}'),
  // Hashes of passwords, as `crypt` writes them.
  /\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|argon2id?)\$[\w./$=,+-]{20,4000}/g,
  // Private keys of wallets and of Nostr.
  token('nsec1', '[02-9ac-hj-np-z]{50,4000}'),
  token('[xyztuvYZUV]prv', '[1-9A-HJ-NP-Za-km-z]{100,4000}'),
  token('[5KL](?=[A-Za-z]{0,30}\\d)(?=[A-Z\\d]{0,30}[a-z])', '[1-9A-HJ-NP-Za-km-z]{50,51}(?!\\w)'),
  // Databricks, Mailgun, Airtable, Doppler, Terraform Cloud, and Vault before 1.10.
  token('dapi|key-', '[0-9a-f]{32}(?:-\\d)?(?![\\w-])'),
  token('key-', '(?=[a-z]{0,31}\\d)[0-9a-z]{32}(?![\\w-])'),
  token('pat\\w{14}', '\\.[0-9a-f]{64}'),
  token('dp', '\\.(?:pt|st|ct|sa|scim|audit)\\.(?:\\w{1,40}\\.)?\\w{40,4000}'),
  token('\\w{14}', '\\.atlasv1\\.[\\w-]{60,4000}'),
  /(?<![\w.-])s\.(?=[a-z]{0,23}[A-Z])(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w-])/g,
  // The password in an address, which may contain `@`, or a token in its place. `user:password@` is an example.
  /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:(?<value>(?!(?:pass(?:word)?|pw|secret|\$\{?[\w.]{1,60}\}?|<[^<>]{1,40}>|\*{3,}|x{3,})@)[^\s@/]{1,200}(?:@[^\s@"'`<>]{1,200}(?=@)){0,8})@/dgi,
  /(?<![\w+.-])https?:\/\/(?<value>(?=[^\s\d@]{0,60}\d)[\w-]{16,200})@/dgi,
  /(?<![\w.-])jdbc:oracle:thin:[^\s/@:]{1,100}\/(?<value>[^\s@]{1,200})@/dgi,
  /hooks\.slack\.com\/services\/\S{1,4000}|discord(?:app)?\.com\/api\/webhooks\/\S{1,4000}/gi,
  /(?:\boutlook|\.webhook)\.office\.com\/webhook\S{1,4000}|hooks\.zapier\.com\/hooks\/catch\/\S{1,4000}/gi,
  /[/?&]private-[0-9a-f]{32}(?![0-9a-f])/gi,
  /[?&]code=(?<value>(?=[^\s&#\d]{0,100}\d)[^\s&#"'`]{16,4000})/dgi,
  // The Base64 of a PEM block, but for that of a certificate or a public key.
  /(?<![\w+/])LS0tLS1CRUdJTi(?!BDRVJUSUZJQ0FUR|BQVUJMSUM)[\w+/=]{8,4000}/g,
  /[?&](?:key|sig|signature|token|auth|access_token|api_?key|secret|password|x-amz-signature|x-amz-security-token|x-goog-signature)=(?<value>[^\s&#]{6,4000})/dgi,
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
  blocks.secret.push(...matchSpans(text, puttyKey));
  return blocks;
}

/** The private part of a key file of PuTTY. */
const puttyKey =
  /Private-Lines: \d{1,3}\r?\n(?<value>[\w+/=]{1,80}(?:\r?\n[\w+/=]{1,80}){0,200})(?=\r?\n|$)/dg;

const sshPublicKey =
  /(?<![\w-])(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)[ \t]{1,4}AAAA[\w+/=]{16,4000}/g;
const namedPublicKey =
  /(?:public[ _-]?key|verify[ _-]?key|öffentliche[rn]? schlüssel|clé publique|clave pública|chave pública|chiave pubblica|открыт\p{L}{1,3} ключ|публичн\p{L}{1,3} ключ|公钥|公鑰|公開鍵|공개 ?키)["'`*]{0,3}[ \t]{0,4}(?:\p{L}{1,8}[ \t]{1,4}|[:=\uFF1A—–-]{1,2}[ \t]{0,4}|[は是为為]\s{0,2})?["'`]{0,2}(?<value>[\w+/=-]{24,4000})/dgiu;
const otherPublicKeys = /(?<![\w-])(?:age1[02-9ac-hj-np-z]{50,4000}|pk_(?:live|test)_\w{1,4000})/g;

/** Finds public keys that stand in a line: OpenSSH's, age recipients, publishable keys of Stripe, and what the text calls a public key. */
export function findPublicKeys(text: string): Span[] {
  return [sshPublicKey, namedPublicKey, otherPublicKeys].flatMap((pattern) => [...matchSpans(text, pattern)]);
}
