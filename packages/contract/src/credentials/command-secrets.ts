import { type ContextRule, contextRule, findByRules, isNotDescription } from './context-rules.ts';
import { isPublicValue, isValueLike } from './secret-values.ts';
import type { Span } from './spans.ts';

// Secrets in headers of HTTP, and in the arguments of commands.

const quote = '["\'`]?';
const blank = '[ \\t]{1,4}';
const space = '[ \\t]{0,4}';
/** One argument of a command, with quotes around it or not. */
const argument = '["\']?(?<value>[^\\s"\'|;&<>]{3,200})';
/** Arguments before an option. */
const before = '[ \\t][^\\n|;]{0,200}?(?<=[ \\t])';

/** Cookies as one argument of a command: without quotes, it ends at the first blank. */
const cookieArgument =
  '["\']?(?<value>(?<=["\'])[\\w.%-]{1,100}=[^\\n"\'`]{4,4000}|(?<!["\'])[\\w.%-]{1,100}=[^\\s"\'`|;&<>]{4,4000})';

function isLongWord(value: string): boolean {
  return isValueLike(value) || (value.length >= 16 && /^[\w.~+/=:-]+$/.test(value) && !isPublicValue(value));
}

const headers: readonly ContextRule[] = [
  // `Authorization: <scheme> <value>`; of Digest and its like, the rest of the line.
  contextRule(
    'authorization',
    `authorization${quote}(?:${space}[:=]${space}|${blank})${quote}(?:[a-z][\\w-]{2,30}[ \\t]{1,4})?(?<value>[^\\s"'\`,;]{8,4000})`,
    'i',
    isLongWord,
  ),
  contextRule(
    'authorization',
    `authorization${quote}${space}:${space}${quote}(?:digest|aws4-hmac-sha256|oauth|hawk|signature|mac)${blank}(?<value>[a-z]{1,30}=[^\\n'\`]{8,4000})`,
    'i',
  ),
  contextRule(
    'cookie',
    `(?<!set-|--)cookie${quote}(?:${space}[:=]|[ \\t])${space}${quote}(?<value>[\\w.%-]{1,100}=[^\\n"'\`]{4,4000})`,
    'i',
  ),
  contextRule('--cookie', `--cookie(?:=|${blank})${cookieArgument}`, ''),
  contextRule('curl', `curl${before}-(?:b|[a-zA-Z]{0,8}b${blank})${cookieArgument}`, ''),
  contextRule('-b', `-b${blank}["'](?<value>[\\w.%-]{1,40}=[^\\n"'\`]{16,4000})`, ''),
  contextRule(
    'set-cookie',
    `set-cookie${quote}${space}:${space}${quote}[\\w.%-]{1,100}=(?<value>[^\\s;"'\`]{4,4000})`,
    'i',
  ),
];

/** An option of a command that takes a password, such as `-p`. The password can follow directly where `gap` is empty. */
function option(signs: string, commands: string, flag: string, gap = blank): ContextRule {
  return contextRule(
    signs,
    `(?<![\\w-])(?:${commands})${before}${flag}${gap}${argument}`,
    '',
    isNotDescription,
  );
}

const commands: readonly ContextRule[] = [
  contextRule('sshpass', `(?<![\\w-])sshpass${blank}-p${space}${argument}`, ''),
  option('mysql mariadb 7z', '(?:mysql|mariadb)\\w{0,12}|7z[az]?', '-p', ''),
  option('redis-cli valkey-cli', 'redis-cli|valkey-cli', '-a'),
  option('login', 'login', '-p'),
  option('ldap', 'ldap\\w{2,12}', '-w'),
  option('sqlcmd unzip zip', 'sqlcmd|unzip|zip', '-P'),
  option('openssl', 'openssl', '-k'),
  option('plink putty pscp', 'plink|putty|pscp', '-pw'),
  option('smbclient rpcclient', 'smbclient|rpcclient', '-U', `${blank}["']?[^\\s%"']{1,100}%`),
  option('lftp ncftp', 'lftp|ncftp', '-u', `${blank}["']?[^\\s,"']{1,100},`),
  option('secret', 'secrets?[ \\t](?:set|put)', '(?:--body|-b|<<<)', '[ \\t=]{1,4}'),
  contextRule(
    'configure',
    `configure set \\S{0,60}(?:secret|token|password)\\S{0,40}${blank}${argument}`,
    '',
  ),
  contextRule('askpass', `ASKPASS[^\\n]{0,40}?echo${blank}${argument}`, ''),
  contextRule('user', `net user \\S{1,60}${blank}${argument}`, 'i', isValueLike),
  contextRule(
    'chpasswd',
    `["']?[\\w.-]{1,60}:(?<value>[^\\s"'|]{3,200})["']?${space}\\|[^\\n|]{0,40}chpasswd`,
    '',
  ),
  contextRule('sqlplus', `sqlplus${blank}(?:-\\S{1,20}${blank})?[\\w$]{1,60}/(?<value>[^\\s@]{3,200})`, ''),
  contextRule(
    'securestring',
    'ConvertTo-SecureString(?:[ \\t]-String)?[ \\t]{1,4}["\'](?<value>[^"\'\\n]{3,200})',
    'i',
  ),
  contextRule(
    'htpasswd',
    `htpasswd${blank}-\\w{0,6}b\\w{0,6}${blank}\\S{1,200}${blank}\\S{1,100}${blank}${argument}`,
    '',
  ),
  contextRule('vault', `(?<![\\w-])vault${blank}login${blank}${argument}`, '', isValueLike),
  contextRule(
    'vault',
    `(?<![\\w-])vault${blank}(?:kv${blank})?(?:write|put)${before}[\\w.-]{1,60}=(?!@)${argument}`,
    '',
  ),
  contextRule('/user:', `/user:\\S{1,100}${blank}${argument}`, 'i', isValueLike),
  contextRule(
    'sudo',
    `(?:echo|printf)${blank}(?:-n${blank})?${argument}["']?${space}\\|${space}sudo[^\\n|]{0,40}?[ \\t]-\\w{0,6}S`,
    '',
  ),
  contextRule(
    '-stdin',
    `(?:echo|printf)${blank}(?:-n${blank})?${argument}["']?${space}\\|[^\\n|]{0,200}?-stdin`,
    '',
  ),
  contextRule(
    'requirepass masterauth',
    `(?:requirepass|masterauth)${blank}${argument}`,
    '',
    isNotDescription,
  ),
  contextRule(
    '-storepass -keypass',
    `(?<=[ \\t])-(?:store|key)pass${blank}${argument}`,
    '',
    isNotDescription,
  ),
  contextRule('-pass', `(?<![\\w-])--?pass(?:word|phrase)?${blank}(?!-)${argument}`, '', isNotDescription),
];

const rules = [...headers, ...commands];

/** Finds secrets in headers of HTTP and in the arguments of commands. */
export function findCommandSecrets(text: string): Span[] {
  return findByRules(text, rules);
}
