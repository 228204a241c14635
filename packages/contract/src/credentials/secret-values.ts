/** Names with digits that stand beside words such as `password`, and are none: algorithms, versions, dates, places, units. */
const publicValue = new RegExp(
  `^(?:${[
    '(?:hmac-?)?sha-?\\d{1,3}(?:[-_/]\\d{3})?|md[245]|argon2(?:id|i|d)?|bcrypt\\w?|scrypt|pbkdf2\\w*|aes-?\\d{3}(?:-\\w+)?|rsa-?\\d{3,4}|ed25519|x25519|[hrep]s\\d{3}|p-?\\d{3}|secp\\d{3}\\w\\d',
    'oauth-?\\d?(?:\\.\\d)?|2fa|mfa|totp|fido2|webauthn|x\\.?509|utf-?\\d{1,2}|base-?\\d{2}|pkcs#?\\d{1,2}|ipv[46]|1password|http[s/]?\\d?(?:\\.\\d)?|k8s|s3|ec2|i18n|nist\\S*',
    'v?\\d+(?:\\.\\d+)+\\S*|v\\d+',
    '\\d{4}-\\d{2}-\\d{2}\\S*|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\d{1,2}:\\d{2}\\S*|(?:19|20)\\d\\d(?:q\\d)?',
    '\\d+(?:ms|s|sec|m|min|h|d|w|x|k|kb|mb|gb|%|bit|bits|bytes?|days?|hours?|minutes?|chars?|st|nd|rd|th|er|e)',
    '#\\d+',
    '(?:\\.{0,2}/|~/|https?:|file:)\\S*|[\\w./-]+/[\\w./-]*\\.\\w{1,5}|[\\w-]+\\.(?:ts|js|mjs|tsx|jsx|py|go|rs|rb|java|md|json|ya?ml|toml|env|txt|sql|sh|log)',
    '[\\w.]+\\(.*',
    '[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+',
    '\\[redacted\\]|\\*{3,}|•{3,}|\\.{3,}|…|<[^<>]{1,40}>|\\$\\{?[A-Za-z_][\\w.]*\\}?|\\$[{(].*|\\$\\d+|<[a-z][a-z_-]*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:TOKEN|KEY|SECRET|PASSWORD|PASS|URL|CREDENTIALS)|\\{\\{[^{}]*\\}?\\}?|\\{[\\w.$-]*\\}?|%\\w+%|process\\.env\\S*|os\\.environ\\S*|x{3,}',
  ].join('|')})$`,
  'i',
);

/** An issue, or a word with a short number such as `node-20`, which can be public. */
const numberedName = /^(?:[A-Z][A-Z0-9]{1,9}-\d{1,6}|[A-Za-z][A-Za-z0-9]{1,9}-\d{1,2})$/;
/**
 * Words that are numbered in every project: machines, systems, and parts of plans and documents. Behind a longer number they are
 * passwords as often: `server-4711`.
 */
const numberedThing =
  /^(?:nodes?|ubuntu|debian|fedora|alpine|windows|win|macos|ios|android|python|java|php|ruby|postgres|mysql|redis|chrome|firefox|cluster|server|host|machine|vm|laptop|pc|box|rack|router|switch|printer|pod|worker|agent|client|instance|replica|shard|partition|slot|queue|pool|zone|region|site|office|building|room|floor|gate|area|unit|db|database|release|sprint|milestone|phase|ticket|version|issue|bug|task|job|build|run|pr|mr|story|epic|feature|iteration|round|wave|batch|step|stage|part|level|tier|layer|plan|option|rule|item|line|page|section|chapter|article|appendix|figure|table|week|day|month|quarter|year|team|group|user|account|tenant|customer|adr|rfc|iso|cve|utf|base|tls|ssl|module|prod|production|staging|test|dev|env|type|model|class|category|priority|seite|raum|woche|stufe|teil|punkt|aufgabe|schritt|knoten|rechner|min|max|top|covid)-\d{1,2}$/i;

/** A value without its quotes and its last punctuation; of a long one the first 200 characters. */
export function bareValue(value: string): string {
  return value.slice(0, 200).replace(/^["'`“„«「『(]+|[.,;:!?"'`”“»」』)]+$/g, '');
}

/** Whether a value is a placeholder, or a name that is public although it has digits: `argon2id`, `v1.2`, `[redacted]`. */
export function isPublicValue(value: string): boolean {
  const bare = bareValue(value);
  return publicValue.test(bare) || numberedName.test(bare) || numberedThing.test(bare);
}

/** Whether a word with a number is a secret where a sentence says that the next word is one: `tiger-7`, but not `node-20`. */
export function isNumberedSecret(value: string): boolean {
  const bare = bareValue(value);
  return (
    /^[A-Za-z]{3,24}-\d{1,6}$/.test(bare) &&
    !/^[A-Z]+-/.test(bare) &&
    !publicValue.test(bare) &&
    !numberedThing.test(bare)
  );
}

/** Whether a word is more like a secret than like a word of a sentence: letters and digits, special characters, or six digits. */
export function isValueLike(value: string): boolean {
  const bare = bareValue(value);
  if (bare.length < 4 || isPublicValue(bare)) return false;
  if (/^\d+$/.test(bare)) return bare.length >= 6;
  return /[!@#$%^&*+]/.test(bare) || (/\d/.test(bare) && /\p{L}/u.test(bare)) || /[a-z][A-Z]/.test(bare);
}

const prose =
  /^(?:must|should|shall|can|may|never|always|do|is|are|not|no|none|nil|null|undefined|true|false|yes|on|off|required|optional|mandatory|use|ask|stored|rotated?|the|an?|at|in|on|from|minimum|see|kept|open|closed|done|todo|missing|pending|implemented|enabled|disabled|unknown|string|text|type|invalid|empty|hidden)$/i;

/** Whether a word begins a sentence about a secret, or describes one, instead of being one: `Password: must be rotated`. */
export function isProseWord(word: string): boolean {
  return prose.test(word.replace(/[;,.)]+$/, ''));
}

const secretWord =
  /pass ?(?:word|wort|phrase|code)|kennwort|mot de passe|contraseña|senha|credential|token|парол|密码|凭据|令牌|パスワード|비밀번호|api key/i;

/** Whether a quoted text is one that a program shows, or the name of a secret: `"Forgot your password?"`, `"Passwort"`. */
export function isMessage(quoted: string): boolean {
  const text = quoted.slice(0, 400);
  if (/^secrets?["'`]/i.test(text)) return true;
  if (!secretWord.test(text)) return false;
  return (
    /\s\S+\s|[\p{sc=Han}\p{sc=Hiragana}]{4}/u.test(text) || /^[\p{L}_]+$/u.test(text.replace(/["'`].*$/, ''))
  );
}
