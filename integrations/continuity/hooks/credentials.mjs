// Generated from packages/contract/src/credentials by npm run docs:generate.
// packages/contract/src/credentials/secret-values.ts
/** Names with digits that stand beside words such as `password`, and are none: algorithms, versions, dates, places, units. */
const publicValue = new RegExp(`^(?:${[
	"(?:hmac-?)?sha-?\\d{1,3}(?:[-_/]\\d{3})?|md[245]|argon2(?:id|i|d)?|bcrypt\\w?|scrypt|pbkdf2\\w*|aes-?\\d{3}(?:-\\w+)?|rsa-?\\d{3,4}|ed25519|x25519|[hrep]s\\d{3}|p-?\\d{3}|secp\\d{3}\\w\\d",
	"oauth-?\\d?(?:\\.\\d)?|2fa|mfa|totp|fido2|webauthn|x\\.?509|utf-?\\d{1,2}|base-?\\d{2}|pkcs#?\\d{1,2}|ipv[46]|http[s/]?\\d?(?:\\.\\d)?|k8s|s3|ec2|i18n|nist\\S*",
	"v?\\d+(?:\\.\\d+)+\\S*|v\\d+",
	"\\d{4}-\\d{2}-\\d{2}\\S*|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|\\d{1,2}:\\d{2}\\S*|(?:19|20)\\d\\d(?:q\\d)?",
	"\\d+(?:ms|s|sec|m|min|h|d|w|x|k|kb|mb|gb|%|bit|bits|bytes?|days?|hours?|minutes?|chars?|st|nd|rd|th|er|e)",
	"[A-Z][A-Z0-9]{1,9}-\\d{1,6}|#\\d+",
	"(?:\\.{0,2}/|~/|https?:|file:)\\S*|[\\w./-]+/[\\w./-]*\\.\\w{1,5}|[\\w-]+\\.(?:ts|js|mjs|tsx|jsx|py|go|rs|rb|java|md|json|ya?ml|toml|env|txt|sql|sh|log)",
	"[\\w.]+\\(.*",
	"[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+",
	"\\[redacted\\]|\\*{3,}|•{3,}|\\.{3,}|…|<[^<>]{1,40}>|\\$\\{?[A-Za-z_][\\w.]*\\}?|\\{\\{?[^{}]*\\}?\\}?|%\\w+%|process\\.env\\S*|os\\.environ\\S*|x{3,}"
].join("|")})$`, "i");
/** A value without its quotes and its last punctuation; of a long one the first 200 characters. */
function bareValue(value) {
	return value.slice(0, 200).replace(/^["'`“„«「『(]+|[.,;:!?"'`”“»」』)]+$/g, "");
}
/** Whether a value is a placeholder, or a name that is public although it has digits: `argon2id`, `v1.2`, `[redacted]`. */
function isPublicValue(value) {
	return publicValue.test(bareValue(value));
}
/** Whether a word is more like a secret than like a word of a sentence: letters and digits, special characters, or six digits. */
function isValueLike(value) {
	const bare = bareValue(value);
	if (bare.length < 4 || publicValue.test(bare)) return false;
	if (/^\d+$/.test(bare)) return bare.length >= 6;
	return /[!@#$%^&*+]/.test(bare) || /\d/.test(bare) && /\p{L}/u.test(bare) || /[a-z][A-Z]/.test(bare);
}
// packages/contract/src/credentials/spans.ts
/** Sorts spans, joins those that overlap, and drops each that a `kept` span contains. `kept` is sorted and disjoint. */
function mergeSpans(spans, kept) {
	const merged = [];
	let place = 0;
	for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
		while ((kept[place]?.end ?? Number.POSITIVE_INFINITY) <= span.start) place += 1;
		const around = kept[place];
		if (around !== void 0 && around.start <= span.start && span.end <= around.end) continue;
		const last = merged.at(-1);
		if (last !== void 0 && span.start < last.end) last.end = Math.max(last.end, span.end);
		else merged.push({ ...span });
	}
	return merged;
}
/**
* Most repetitions in a pattern: a longer match would take the stack of the regular expression engine. `matchSpans` extends a match
* of this length to the end of its run.
*/
const maxRepetitions = 4e3;
const inRun = /[^\s"'`&#]/;
/** The spans of all matches of a global expression; of its group `value` where it has the flag `d` and that group. */
function* matchSpans(text, pattern) {
	pattern.lastIndex = 0;
	for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
		const matched = match.indices?.groups?.["value"] ?? [match.index, match.index + match[0].length];
		const [start] = matched;
		let [, end] = matched;
		if (end - start >= maxRepetitions) {
			while (end < text.length && inRun.test(text.charAt(end))) end += 1;
			pattern.lastIndex = end;
		}
		yield {
			start,
			end,
			value: text.slice(start, end)
		};
	}
}
// packages/contract/src/credentials/assignments.ts
const strong = "pass(?:word|wd|phrase|code)|pwd|(?:api|private|secret|access|account|encryption|signing|shared)[ _-]?key|client[ _-]?secret|(?:auth|access|refresh|bearer)[ _-]?token|credential";
const weak = "secret|token";
const tail = "(?:s|key|hash|value|base)?(?:[_.-][\\w.-]{0,40}|\\d{1,4})?";
const space = "[ \\t]{0,4}";
const quote = "[\"'`*\\]]{0,3}";
const value = "(?<value>\"[^\"\\n]{0,4000}|'[^'\\n]{0,4000}|`[^`\\n]{0,4000}|[^\\s,;]{0,4000}[^\\s,;.!?])";
const assignments = [
	assignment(`(?:${strong}|secret)${tail}${quote}${space}(?:=>|:=|=(?!=))${space}${value}`, () => true),
	assignment(`token${quote}${space}(?:=>|:=|=(?!=))${space}${value}`, () => true),
	assignment(`(?:${strong})${tail}${quote}${space}[:\\uFF1A]${quote}${space}${value}`, isNotProse),
	assignment(`(?:${weak})${quote}${space}[:\\uFF1A]${quote}${space}${value}`, isValueLike),
	assignment(`(?:${strong}|${weak})s?${quote}[:\\uFF1A]${quote}${space}\\r?\\n[ \\t>*-]{0,8}(?<value>[^\\s]{4,4000})(?=[ \\t]{0,8}(?:[\\r\\n]|$))`, () => true),
	assignment(`(?:${strong}|${weak})s?${quote}[ \\t]{1,4}(?:is|was|are|to)[ \\t]{1,4}${value}`, isValueLike),
	assignment(`pass ?phrase${quote}${space}[:=\\uFF1A]${space}(?<value>[^\\s"'\`][^\\n"'\`]{0,198}[^\\s"'\`])`, isPhrase),
	assignment(`--(?:${strong}|${weak})[ \\t]{1,4}${value}`, isValueLike),
	assignment("(?<![\\w-])(?:bearer|basic)[ \\t]{1,4}(?<value>[\\w.~+/=-]{16,4000})", isValueLike)
];
function assignment(source, isSecret) {
	return {
		pattern: new RegExp(source, "dgi"),
		isSecret
	};
}
const prose = /^(?:must|should|shall|never|always|do|is|are|not|no|none|required|use|stored|rotated?|the|an?|at|minimum|see|kept|null|undefined|true|false)$/i;
/** `Password: must be rotated` is a rule about passwords. Any other text after the colon counts as a password. */
function isNotProse(text) {
	return !prose.test(text);
}
function isPhrase(text) {
	return isNotProse(/^\S{0,200}/.exec(text)?.[0] ?? "");
}
/** Finds the values of assignments to secrets. */
function findAssignedSecrets(text) {
	const spans = [];
	for (const { pattern, isSecret } of assignments) for (const { start, end, value: found } of matchSpans(text, pattern)) {
		if (!/[\p{L}\p{N}]/u.test(found) || isPublicPlaceholder(found.slice(0, 200)) || !isSecret(found)) continue;
		const opening = /["'`]/.test(found.charAt(0)) ? 1 : 0;
		spans.push({
			start: start + opening,
			end
		});
	}
	return spans;
}
/** A value that names a secret instead of being one. `password = v1.2` is a password. */
function isPublicPlaceholder(found) {
	return !/^["'`]?[\w!-]*$/.test(found) && !/\d/.test(found) && isPublicValue(found);
}
// packages/contract/src/credentials/known-forms.ts
/**
* Tokens that their form identifies. Each pattern starts at the beginning of a run of word characters, so that it is tested once per
* run. Prefixes are those of the vendors' documentation; `pk_live_` of Stripe is missing, because it is a publishable key.
* The limit of repetitions is `maxRepetitions`.
*/
const start = "(?<![\\w-])";
function token(prefixes, rest) {
	return new RegExp(`${start}(?:${prefixes})${rest}`, "g");
}
const tokenPatterns = [
	token("AKIA|ASIA|AROA|AIDA|ABIA|ACCA", "[A-Z0-9]{16}"),
	token("gh[pousr]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|soat)-|npm_|pypi-|hf_|dop_v1_|whsec_|skt_|dckr_pat_|sntrys_|lin_api_|ntn_|figd_|gsk_|xai-|sgp_|rubygems_|pul-|PMAK-|shippo_(?:live|test)_|tskey-[a-z]{2,12}-|GOCSPX-", "[\\w-]{16,4000}"),
	token("sk-(?!ssh-|ecdsa-)|sk-ant-|[rs]k_(?:live|test)_|xox[abeoprs]-|xapp-|AGE-SECRET-KEY-", "[\\w-]{10,4000}"),
	token("AIza|shp(?:at|ca|pa|ss)_", "[\\w-]{30,4000}"),
	token("ya29|hv[sbr]", "\\.[\\w-]{20,4000}"),
	token("SG", "\\.[\\w-]{16,64}\\.[\\w-]{16,4000}"),
	token("eyJ", "[\\w-]{8,4000}\\.[\\w-]{8,4000}(?:\\.[\\w-]{0,4000})?"),
	token("\\d{8,10}", ":AA[\\w-]{33}"),
	/(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,200}:[^\s@/]{1,200}@\S{0,4000}/gi,
	/hooks\.slack\.com\/services\/\S{1,4000}|discord(?:app)?\.com\/api\/webhooks\/\S{1,4000}/gi,
	/[?&](?:key|sig|signature|token|access_token|api_?key|secret|password|x-amz-signature|x-amz-security-token|x-goog-signature)=(?<value>[^\s&#]{6,4000})/dgi
];
const begin = /-----BEGIN ([A-Z0-9 ]{1,60})-----/g;
const end = "-----END";
const publicLabel = /(?:PUBLIC KEY|CERTIFICATE|PUBLIC KEY BLOCK|CERTIFICATE REQUEST|X509 CRL|PARAMETERS|SIGNATURE|MESSAGE)$/;
/** Finds the key blocks of a text. A block without an end extends to the end of the text. */
function findKeyBlocks(text) {
	const blocks = {
		secret: [],
		public: []
	};
	begin.lastIndex = 0;
	for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
		const at = text.indexOf(end, begin.lastIndex);
		const tail = at === -1 ? null : /^-----END[A-Z0-9 ]{0,60}(?:-----)?/.exec(text.slice(at, at + 80));
		const span = {
			start: match.index,
			end: at === -1 ? text.length : at + (tail?.[0].length ?? 8)
		};
		blocks[publicLabel.test(match[1] ?? "") ? "public" : "secret"].push(span);
		begin.lastIndex = span.end;
	}
	return blocks;
}
const sshPublicKey = /(?<![\w-])(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}|sk-(?:ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com)[ \t]{1,4}AAAA[\w+/=]{16,4000}/g;
const namedPublicKey = /(?:public[ _-]?key|verify[ _-]?key|öffentliche[rn]? schlüssel|clé publique|clave pública|chave pública|chiave pubblica|открыт\p{L}{1,3} ключ|публичн\p{L}{1,3} ключ|公钥|公鑰|公開鍵|공개 ?키)["'`*]{0,3}[ \t]{0,4}(?:\p{L}{1,8}[ \t]{1,4}|[:=\uFF1A—–-]{1,2}[ \t]{0,4}|[は是为為]\s{0,2})?["'`]{0,2}(?<value>[\w+/=-]{24,4000})/dgiu;
const otherPublicKeys = /(?<![\w-])(?:age1[02-9ac-hj-np-z]{50,4000}|pk_(?:live|test)_\w{1,4000})/g;
/** Finds public keys that stand in a line: OpenSSH's, age recipients, publishable keys of Stripe, and what the text calls a public key. */
function findPublicKeys(text) {
	return [
		sshPublicKey,
		namedPublicKey,
		otherPublicKeys
	].flatMap((pattern) => [...matchSpans(text, pattern)]);
}
// packages/contract/src/credentials/named-secrets.ts
/** Words for passwords, passphrases, secret keys and tokens. A name may have an ending, and be the last part of a compound. */
const names = `password|passwd|passphrase|passcode|pass phrase
passwort|passwört|kennwort|kennwört|zugangsdaten|zugangscode|api-?schlüssel|geheim(?:er|en|e) schlüssel|geheimschlüssel|zugriffsschlüssel|zugangsschlüssel|private[rn]? schlüssel
mots? de passe|phrases? (?:de passe|secrète)|code secret|clés? (?:secrète|privée|d['’]api|api|d['’]accès)|identifiants
contraseña|contrasena|clave(?: secreta| privada| de api| api| de acceso)?|frase de paso|credenciales
senha|palavra[ -]passe|chave (?:secreta|privada|de api|api|de acesso)|frase secreta
chiave (?:segreta|privata|api|di accesso)|codice segreto|parola d['’]ordine|credenziali
wachtwoord|wachtzin|toegangscode|toegangssleutel|api-?sleutel|geheime sleutel
lösenord|lösenfras|hemlig(?:a)? nyckel|api-?nyckel|adgangskode|kodeord|hemmelig(?:e)? nøgle|api-?nøgle|passord|hemmelig(?:e)? nøkkel|api-?nøkkel
salasana|tunnussana|salalause|salainen avain|api-?avain
parola|şifre|sifre|gizli anahtar|api anahtar|parolă|parolei|cheie secretă|cheia (?:secretă|api)
jelszó|jelszav|titkos kulcs|api[- ]?kulcs|hasł|haslo|tajny klucz|klucz (?:api|tajny|prywatny)|hesl|tajný klíč|klíč api|api klíč
парол|кодов\\p{L}{2,3} фраз|секретн\\p{L}{2,3} (?:ключ|код)|ключ api|api-?ключ|приватн\\p{L}{2,3} ключ|закрыт\\p{L}{2,3} ключ|токен|секретний ключ
κωδικ|συνθηματικ|μυστικό κλειδί|κλειδί api
كلمة (?:ال)?(?:مرور|سر)|الرقم السري|المفتاح السري|مفتاح api|رمز الدخول|رمز المرور|رمز عبور|گذرواژه
סיסמ|מפתח סודי|מפתח api|पासवर्ड|गुप्त कुंजी
mật khẩu|khó?a bí mật|khoá api|kata sandi|kunci rahasia|kunci api
รหัสผ่าน|รหัสลับ|คีย์ลับ|ລະຫັດຜ່ານ|ពាក្យសម្ងាត់|စကားဝှက်
密码|密碼|口令|密钥|密鑰|金鑰|私钥|私鑰|令牌|通行码
パスワード|パスフレーズ|暗証番号|合言葉|秘密鍵|シークレット(?:キー)?|アクセスキー|api ?キー|(?:アクセス)?トークン
비밀번호|패스워드|비번|암호|비밀 ?키|api ?키|액세스 ?키|토큰`.split("\n").join("|");
/** Short words that need a boundary before them. */
const shortNames = "pwd|mdp|sandi|api[ _-]?key|secret key|access token|api token|auth token|token";
const pinNames = "(?:the |our |your |my )?PIN(?:[- ][Cc]ode)?|[Pp]in[- ][Cc]ode|code PIN|暗証番号|PIN码|PIN 번호";
const namePattern = new RegExp(`(?:${names}|(?<![\\p{L}\\p{N}_])(?:${shortNames}))`, "giu");
const pinPattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${pinNames})[^\\S\\n]{0,3}(?:[:=\\uFF1A]|is|ist|lautet|est|es|è|é|は|是|为|[—–-])?[^\\S\\n]{0,3}(?<value>\\d{4,8})(?!\\d)`, "dgu");
/** Words that say what follows is the value. */
const copula = `is|was|are|be|becomes|reads|to|equals|now
ist|lautet|lauten|heißt|heisst|war|wäre|wird|auf|zu|sei|nun|jetzt
est|sera|devient|était|maintenant|es|será|era|ahora|fue|é|foi|agora|è|sarà|ora|diventa
is|wordt|luidt|nu|är|er|blir|lyder|on|olarak|oldu|este|va|fi|az|lett|to|jest|brzmi|je|bude|zní
это|будет|есть|теперь|является|станет|такой|цей|буде|είναι|έγινε|هي|هو|הוא|היא|है|là|adalah|ialah
must|should|shall|will|muss|soll|sein|bleibt|doit|être|devra|debe|ser|estar|deve|essere|moet|zijn|ska|vara|skal|være|olla|legyen|musi|być|musí|být|должен|быть`.split(/[|\n]/);
const copulas = new Set(copula);
const separator = /^[:=\uFF1A\uFF1D—–→-]{1,2}>?$/;
/** Words behind a name that make it another thing: `password manager`, `password policy`. */
const compound = /^[-_ ]?(?:less|hash|hashes|hashing|hashed|manager|managers|polic(?:y|ies)|reset|resets|field|fields|form|forms|store|vault|length|rotation|strength|generator|protected|protection|richtlinien?|manager|endpoint|column|table|flow|page|prompt|check|expiry|lifetime|limit|type|count|usage|budget|window)(?![\p{L}])/iu;
/** Characters behind and before a name that are read. */
const reach = 90;
/** Most words between a name and the word that leads to its value. */
const maxFillers = 6;
function isToken(name) {
	return /token|токен|トークン|토큰/iu.test(name);
}
/** A token has letters and digits. Numbers beside the word are counts of tokens of a model. */
function isTokenLike(value) {
	const bare = bareValue(value);
	return bare.length >= 8 && /\d/.test(bare) && /[A-Za-z]{2}/.test(bare) && isValueLike(value);
}
/** Finds values that a sentence gives to a password, a secret key or a token. */
function findNamedSecrets(text) {
	const spans = [];
	let last = -1;
	for (const { 0: name, index } of text.matchAll(namePattern)) {
		const end = index + name.length;
		const isRepeated = last === index;
		last = end;
		if (isRepeated) continue;
		const after = valueAfter(text.slice(end, end + reach), isToken(name) ? isTokenLike : isValueLike);
		if (after !== null) spans.push({
			start: end + after.start,
			end: end + after.end
		});
		const from = Math.max(0, index - reach);
		const before = valueBefore(`${from === 0 ? " " : ""}${text.slice(from, index)}`);
		const shift = from === 0 ? -1 : from;
		if (before !== null) spans.push({
			start: shift + before.start,
			end: shift + before.end
		});
	}
	for (const match of text.matchAll(pinPattern)) {
		const [start, stop] = match.indices?.groups?.["value"] ?? [0, 0];
		spans.push({
			start,
			end: stop
		});
	}
	return spans;
}
const endingPattern = /^[\p{L}\p{M}'’]{0,6}/u;
const cjkGap = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー]{1,14}[ \t]{0,2}[:\uFF1A=\uFF1D「『“"'`]{0,3}[ \t]{0,2}(?=[!-~])/u;
const cjk = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const asciiRun = /^[!-~]+/;
/** The value in a text that follows a name. */
function valueAfter(rest, isValue) {
	if (compound.test(rest)) return null;
	const gap = cjkGap.exec(rest)?.[0];
	if (gap !== void 0) return valueAt(rest, gap.length, isValue);
	return valueInWords(rest, (endingPattern.exec(rest)?.[0] ?? "").length, isValue);
}
function valueAtPlace(rest, at, place, isValue) {
	if (place === "far") return null;
	return valueAt(rest, at, isValue) ?? (place === "told" ? quoted(rest, at) : null);
}
function valueInWords(rest, from, isValue) {
	const line = /^[^\n]*/.exec(rest.slice(from))?.[0] ?? "";
	let place = "adjacent";
	let fillers = 0;
	for (const { 0: word, index } of line.matchAll(/\S+/g)) {
		const at = from + index;
		const separated = separatorLength(word);
		if (separated > 0) return valueAfterSeparator(rest, at + separated, isValue);
		const found = valueAtPlace(rest, at, place, isValue);
		if (found !== null) return found;
		place = copulas.has(word.toLowerCase().replace(/[^\p{L}\p{M}]/gu, "")) ? "told" : "far";
		if (place === "far") fillers += 1;
		if (fillers > maxFillers || /[.!?;]$/.test(word)) return null;
	}
	return null;
}
/** Length of the part of a word up to the separator that leads to a value; 0 without one. */
function separatorLength(word) {
	if (separator.test(word) || /[:\uFF1A]$/.test(word)) return word.length;
	return /^[:\uFF1A=\uFF1D]/.exec(word)?.[0].length ?? 0;
}
/** The value behind a colon: what is more like a value than a word, among four words, or the only word of the line. */
function valueAfterSeparator(rest, from, isValue) {
	const words = [...(/^[^\n]*/.exec(rest.slice(from))?.[0] ?? "").matchAll(/\S+/g)];
	for (const { index } of words.slice(0, 4)) {
		const found = valueAt(rest, from + index, isValue);
		if (found !== null) return found;
	}
	const [only] = words;
	if (only === void 0) return null;
	if (/^["“„«「『`']/.test(only[0])) return quoted(rest, from + only.index);
	return words.length === 1 && bareValue(only[0]).length >= 4 && !cjk.test(only[0]) && isValue === isValueLike && !isPublicValue(only[0]) ? trimmed(from + only.index, only[0]) : null;
}
/** The word at `at`, or its ASCII beginning before CJK text, if it is like a value. */
function valueAt(rest, at, isValue) {
	const word = /^\S+/.exec(rest.slice(at))?.[0] ?? "";
	const run = asciiRun.exec(word)?.[0] ?? "";
	if (run !== "" && isValue(run)) return trimmed(at, run);
	if (run.length === word.length || cjk.test(word) || !isValue(word)) return null;
	return trimmed(at, word);
}
function quoted(rest, at) {
	const value = /^["“„«「『`'](?<value>[^"”“»」』`'\n]{3,64})["”“»」』`']/u.exec(rest.slice(at))?.groups?.["value"];
	return value === void 0 || isPublicValue(value) ? null : {
		start: at + 1,
		end: at + 1 + value.length
	};
}
/** The span of a word without quotes before it and punctuation behind it. */
function trimmed(at, word) {
	const lead = /^["'`“„«「『(]*/.exec(word)?.[0].length ?? 0;
	const bare = word.slice(lead).replace(/[.,;:!?"'`”“»」』)]+$/, "");
	return {
		start: at + lead,
		end: at + lead + bare.length
	};
}
const leadsBack = new Set("is as als ist est comme es como è come é som jako jest как это — – - olarak ως είναι будет стал".split(" "));
const particle = /[がはをを是作为為当當成이가를을로]/u;
const cjkOrBlank = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul} ]/u;
const maxCharactersBefore = 12;
/** The value in a text that precedes a name: `geheim123 als Passwort`, `sakura88をパスワードに`. */
function valueBefore(lead) {
	const lineStart = lead.lastIndexOf("\n") + 1;
	return valueBeforeWords(lead, lineStart) ?? valueBeforeParticle(lead, lineStart);
}
function valueBeforeWords(lead, lineStart) {
	const words = [...lead.slice(lineStart).matchAll(/\S+/g)];
	for (let back = 1; back <= 5 && back < words.length; back += 1) {
		const link = words.at(-back);
		const word = words.at(-back - 1);
		if (link === void 0 || word === void 0 || !leadsBack.has(link[0].toLowerCase())) continue;
		if (word.index === 0 && lineStart === 0) return null;
		return isValueLike(word[0]) ? trimmed(lineStart + word.index, word[0]) : null;
	}
	return null;
}
function valueBeforeParticle(lead, lineStart) {
	let end = lead.length;
	const least = Math.max(lineStart, end - maxCharactersBefore);
	while (end > least && cjkOrBlank.test(lead.charAt(end - 1))) end -= 1;
	if (!particle.test(lead.slice(end).trimStart().charAt(0))) return null;
	let start = end;
	while (start > lineStart && /[!-~]/.test(lead.charAt(start - 1))) start -= 1;
	const value = lead.slice(start, end);
	return isValueLike(value) ? trimmed(start, value) : null;
}
// packages/contract/src/credentials/numbers.ts
const digit = "[0-9０-９]";
const cardPattern = new RegExp(`(?<![A-Za-z0-9\uFF10-\uFF19_.,/-])${digit}(?:[ \u00A0-]?${digit}){12,18}(?![A-Za-z0-9\uFF10-\uFF19_/-]|[.,]\\d)`, "g");
/** Numbers of cards by issuer: Visa, Mastercard, American Express, Discover, JCB, Diners Club, UnionPay, Maestro. */
const issuers = [
	/^4(?:\d{12}|\d{15}|\d{18})$/,
	/^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/,
	/^3[47]\d{13}$/,
	/^(?:6011|64[4-9]\d|65\d\d)\d{12}$/,
	/^35(?:2[89]|[3-8]\d)\d{12}$/,
	/^3(?:0[0-5]\d|[689]\d\d)\d{10}$/,
	/^62\d{14,17}$/,
	/^(?:50|5[6-8]|6[37])\d{14}$/
];
/** Finds payment card numbers: the length and prefix of an issuer, and a valid check digit (ISO/IEC 7812, Luhn). */
function findCardNumbers(text) {
	const spans = [];
	for (const { 0: match, index } of text.matchAll(cardPattern)) {
		const digits = match.replace(/[ \u00A0-]/g, "").normalize("NFKC");
		if (issuers.some((issuer) => issuer.test(digits)) && passesLuhn(digits)) spans.push({
			start: index,
			end: index + match.length
		});
	}
	return spans;
}
function passesLuhn(digits) {
	let sum = 0;
	for (let place = 0; place < digits.length; place += 1) {
		const value = Number(digits[digits.length - 1 - place]);
		const doubled = place % 2 === 1 ? value * 2 : value;
		sum += doubled > 9 ? doubled - 9 : doubled;
	}
	return sum % 10 === 0;
}
/** Length of the IBAN of each country (SWIFT IBAN Registry). */
const ibanLengths = new Map(`NO15 BE16 DK18 FI18 FO18 GL18 NL18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 XK20 MN20 CH21 CR21 HR21 LI21 LV21 BG22 BH22 DE22
  GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 OM23 SO23 TL23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24 SE24 SK24 TN24 VG24 LY25 PT25 ST25
  IS26 TR26 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 BY28 CY28 DO28 GT28 HU28 LB28 NI28 PL28 SV28 BR29 EG29 PS29 QA29 UA29 JO30 KW30
  MU30 YE30 MT31 SC31 LC32 RU33 BI27 DJ27 FK18`.split(/\s+/).map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]));
const ibanStart = /(?<![A-Za-z0-9_])[A-Z]{2}\d{2}(?=[ \u00A0-]?[A-Z0-9])/gi;
/** Finds IBANs, in groups or not: the length of the country, and valid check digits (ISO 13616, ISO 7064 MOD 97-10). */
function findIbans(text) {
	const spans = [];
	for (const { 0: head, index } of text.matchAll(ibanStart)) {
		const length = ibanLengths.get(head.slice(0, 2).toUpperCase());
		if (length === void 0) continue;
		const read = readCharacters(text, index, length);
		if (read !== null && hasIbanCheck(read.characters)) spans.push({
			start: index,
			end: read.end
		});
	}
	return spans;
}
/** Reads `count` letters and digits, with single separators between them; null if there are fewer, or the run goes on. */
function readCharacters(text, start, count) {
	let characters = "";
	let at = start;
	while (characters.length < count) {
		const character = text.charAt(at);
		if (/[A-Za-z0-9]/.test(character)) characters += character;
		else if (!/[ \u00A0-]/.test(character) || /[ \u00A0-]/.test(text.charAt(at - 1))) return null;
		at += 1;
	}
	return /[A-Za-z0-9]/.test(text.charAt(at)) ? null : {
		characters: characters.toUpperCase(),
		end: at
	};
}
function hasIbanCheck(iban) {
	let rest = 0;
	for (const character of iban.slice(4) + iban.slice(0, 4)) {
		const value = Number.parseInt(character, 36);
		rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
	}
	return rest === 1;
}
// packages/contract/src/credentials/random-strings.ts
const longRun = /(?<![\w+/=-])[\w+/=-]{24,4000}/g;
const uuid = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;
const hexPattern = /^[0-9a-f]+$/i;
const digestBefore = /(?:sha-?\d{1,3}|md5|digest|checksum|fingerprint|commit|rev|revision|tree|blob|HEAD|merge|revert|提交|コミット|커밋)s?(?: id| hash)?["'`]?[:= @]{1,2}["'`]?$|@$/i;
const integrity = /^sha\d{3}-/;
/** Limit of characters of a run to examine. */
const sampleLength = 256;
/**
* Finds runs of at least 24 letters, digits and `+/_=-` that are too irregular to be names. Omits UUIDs and named digests, which are
* public.
*/
function findRandomStrings(text) {
	const spans = [];
	for (const { start, end, value } of matchSpans(text, longRun)) if (isRandomString(value.slice(0, sampleLength), text.slice(Math.max(0, start - 24), start))) spans.push({
		start,
		end
	});
	return spans;
}
/**
* Whether a run is too irregular to be an identifier or a path: its character class (digit, lower, upper) changes far more often
* than in `camelCase2` names, or its letters are not those of words.
*
* @param before characters before the run, which can name it a digest or a commit
*/
function isRandomString(run, before) {
	if (integrity.test(run)) return false;
	if (hexPattern.test(run) && digestBefore.test(before)) return false;
	const sample = run.replace(uuid, "");
	const letters = sample.replace(/[^A-Za-z0-9]/g, "");
	if (letters.length < 24) return false;
	const changes = classChanges(letters) / (letters.length - 1);
	const words = shareOfWordPairs(sample);
	if (changes >= .2 && words !== null && words < .55) return true;
	return changes >= expectedOfNames(letters) && (words === null || words < .75);
}
/** Upper limit of the change rate of identifiers with the same alphabet. Random strings reach 0.4 to 0.6. */
function expectedOfNames(letters) {
	if (letters.replace(/\D/g, "").length < 3) return .45;
	return /[a-z]/.test(letters) && /[A-Z]/.test(letters) ? .4 : .3;
}
function classChanges(letters) {
	let changes = 0;
	for (let index = 1; index < letters.length; index += 1) if (characterClass(letters.charAt(index)) !== characterClass(letters.charAt(index - 1))) changes += 1;
	return changes;
}
function characterClass(character) {
	if (character <= "9") return "digit";
	return character >= "a" ? "lower" : "upper";
}
/**
* The 200 most frequent pairs of letters in the identifiers and documents of this project and its list of German words. 88 % of the
* pairs in those words, and 29 % in random Base64 (99th percentile: 56 %).
*/
const wordPairs = new Set(`ab ac ad ag ah ai al am an ap ar as at au ax ba be bl bo ca ce ch ck cl co cr ct cu da dd de di do dr ds ea eb ec ed ee ef eg ei el
  em en eo ep eq er es et eu ev ew ex fa fe ff fi fo fr ft ge gr ha he hi hl hn ho hr ht hu ic id ie if ig il im in io ir is it iv ka
  ke ki ks la ld le li ll lo ls lt lu ma me mi mo mp ms na nc nd ne ng ni nn no ns nt nu ob oc od of ol om on oo op or os ot ou ow pa
  pe pl po pr pt pu qu ra rb rc rd re ri rk rm rn ro rr rs rt ru rv ry sa sc se sh si sk so sp ss st su ta tc te th ti to tr ts tt tu
  ty tz uc ue uf ug ui ul um un ur us ut va ve vi wa we wi wo xp xt ze zu`.split(/\s+/));
/** Share of the adjacent letters that are common pairs; null with fewer than 8 pairs. */
function shareOfWordPairs(sample) {
	const lower = sample.toLowerCase();
	let pairs = 0;
	let common = 0;
	for (let index = 1; index < lower.length; index += 1) {
		const pair = lower.slice(index - 1, index + 1);
		if (!/^[a-z]{2}$/.test(pair)) continue;
		pairs += 1;
		if (wordPairs.has(pair)) common += 1;
	}
	return pairs < 8 ? null : common / pairs;
}
// packages/contract/src/credentials/index.ts
/** What `redactCredentials` writes in place of a credential. */
const redactedMark = "[redacted]";
/** Longest span that can be a mark with quotes around it, in characters. */
const maxMarkLength = 64;
/**
* Finds credentials; offsets are UTF-16 code units, ascending and disjoint. Public keys and certificates are none. Prefers false
* positives. Linear in the length of the text.
*/
function findCredentials(text, level) {
	const blocks = findKeyBlocks(text);
	const spans = [
		...blocks.secret,
		...tokenPatterns.flatMap((pattern) => [...matchSpans(text, pattern)]),
		...findAssignedSecrets(text),
		...findNamedSecrets(text),
		...findCardNumbers(text),
		...findIbans(text),
		...level === "strict" ? findRandomStrings(text) : []
	].filter(({ start, end }) => end - start > maxMarkLength || !text.slice(start, end).includes("[redacted]"));
	if (spans.length === 0) return [];
	return mergeSpans(spans, mergeSpans([...blocks.public, ...findPublicKeys(text)], []));
}
/** Whether a text contains something that looks like a credential. */
function hasCredential(text, level = "strict") {
	return findCredentials(text, level).length > 0;
}
/** Replaces each credential by `replacementOf(credential)`. `count` is the number of replacements. Idempotent with the default mark. */
function redactCredentials(text, level, replacementOf = () => redactedMark) {
	const spans = findCredentials(text, level);
	const parts = [];
	let from = 0;
	for (const { start, end } of spans) {
		parts.push(text.slice(from, start), replacementOf(text.slice(start, end)));
		from = end;
	}
	parts.push(text.slice(from));
	return {
		text: parts.join(""),
		count: spans.length
	};
}
export { findCredentials, hasCredential, redactCredentials, redactedMark };
