// Names of passwords, secret keys and tokens in the languages of search (spec 20 S6).

/** Words for passwords, passphrases, secret keys and tokens. A name may have an ending, and be the last part of a compound. */
const names = `password|passwd|passphrase|passcode|pass phrase|key phrase
passwort|passwört|kennwort|kennwört|zugangsdaten|zugangscode|api-?schlüssel|geheim(?:er|en|e) schlüssel|geheimschlüssel|zugriffsschlüssel|zugangsschlüssel|private[rn]? schlüssel
mots? de passe|phrases? (?:de passe|secrète)|code secret|clés? (?:secrète|privée|d['’]api|api|d['’]accès)|identifiants
contraseña|contrasena|clave(?: secreta| privada| de api| api| de acceso)?|frase de paso|credenciales
senha|palavra[ -]passe|chave (?:secreta|privada|de api|api|de acesso)|frase secreta
chiave (?:segreta|privata|api|di accesso)|codice segreto|parola d['’]ordine|credenziali|codice di accesso|code d['’]accès|código de acceso
wachtwoord|wachtzin|toegangscode|toegangssleutel|api-?sleutel|geheime sleutel
lösenord|lösenfras|hemlig(?:a)? nyckel|api-?nyckel|adgangskode|kodeord|hemmelig(?:e)? nøgle|api-?nøgle|passord|hemmelig(?:e)? nøkkel|api-?nøkkel
salasana|tunnussana|salalause|salainen avain|api-?avain
parola|şifre|sifre|gizli anahtar|api anahtar|parolă|parolei|cheie secretă|cheia (?:secretă|api)
jelszó|jelszav|titkos kulcs|api[- ]?kulcs|hasł|haslo|tajny klucz|klucz (?:api|tajny|prywatny)|hesl|tajný klíč|klíč api|api klíč
парол|кодов[а-яё]{2,3} фраз|секретн[а-яё]{2,3} (?:ключ|код)|ключ api|api-?ключ|приватн[а-яё]{2,3} ключ|закрыт[а-яё]{2,3} ключ|токен|секретний ключ
κωδικ|συνθηματικ|μυστικό κλειδί|κλειδί api
كلمة (?:ال)?(?:مرور|سر)|الرقم السري|المفتاح السري|مفتاح api|رمز الدخول|رمز المرور|رمز عبور|گذرواژه
סיסמ|מפתח סודי|מפתח api|پسورد|پاس ?ورڈ|পাসওয়ার্ড|கடவுச்சொல்|पासवर्ड|गुप्त कुंजी
mật khẩu|khó?a bí mật|khoá api|kata sandi|kunci rahasia|kunci api
รหัสผ่าน|รหัสลับ|คีย์ลับ|ລະຫັດຜ່ານ|ពាក្យសម្ងាត់|စကားဝှက်
密码|密碼|口令|密钥|密鑰|金鑰|私钥|私鑰|令牌|通行码
パスワード|パスフレーズ|暗証番号|合言葉|秘密鍵|シークレット(?:キー)?|アクセスキー|api ?キー|(?:アクセス)?トークン
비밀번호|패스워드|비번|암호|비밀 ?키|api ?키|액세스 ?키|토큰`
  .split('\n')
  .join('|');
/** Short words that need a boundary before them. */
const shortNames =
  'pwd|mdp|sandi|pw(?![a-z0-9_-])|api[ _-]?key|secret key|private key|(?:client|signing|shared|app|webhook)[ _-]secret|access code|access token|api token|auth token|token';

// Without `\p{L}`: where case is ignored, its first match takes milliseconds, for which each prompt of an agent host would wait.
const namePattern = new RegExp(`${names}|(?<short>${shortNames})`, 'giu');
const wordEnd = /[\p{L}\p{N}_]$/u;

/** The names in a text, in order. */
export function* findNames(text: string): Generator<{ name: string; index: number }> {
  namePattern.lastIndex = 0;
  for (let match = namePattern.exec(text); match !== null; match = namePattern.exec(text)) {
    const { 0: name, index, groups } = match;
    const isInWord =
      groups?.['short'] !== undefined && wordEnd.test(text.slice(Math.max(0, index - 2), index));
    if (isInWord) namePattern.lastIndex = index + 1;
    else yield { name, index };
  }
}
