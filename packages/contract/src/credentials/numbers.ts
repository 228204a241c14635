import type { Span } from './spans.ts';

const digit = '[0-9\uFF10-\uFF19]';
const cardPattern = new RegExp(
  `(?<![A-Za-z0-9\uFF10-\uFF19_.,/-])${digit}(?:[ \u00A0-]?${digit}){12,18}(?![A-Za-z0-9\uFF10-\uFF19_/-]|[.,]\\d)`,
  'g',
);

/** Numbers of cards by issuer: Visa, Mastercard, American Express, Discover, JCB, Diners Club, UnionPay, Maestro. */
const issuers: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/,
  /^3[47]\d{13}$/,
  /^(?:6011|64[4-9]\d|65\d\d)\d{12}$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  /^3(?:0[0-5]\d|[689]\d\d)\d{10}$/,
  /^62\d{14,17}$/,
  /^(?:50|5[6-8]|6[37])\d{14}$/,
];

/** Finds payment card numbers: the length and prefix of an issuer, and a valid check digit (ISO/IEC 7812, Luhn). */
export function findCardNumbers(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: match, index } of text.matchAll(cardPattern)) {
    const digits = match.replace(/[ \u00A0-]/g, '').normalize('NFKC');
    if (issuers.some((issuer) => issuer.test(digits)) && passesLuhn(digits))
      spans.push({ start: index, end: index + match.length });
  }
  return spans;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const value = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? value * 2 : value;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Length of the IBAN of each country (SWIFT IBAN Registry). */
const ibanLengths = new Map(
  `NO15 BE16 DK18 FI18 FO18 GL18 NL18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 XK20 MN20 CH21 CR21 HR21 LI21 LV21 BG22 BH22 DE22
  GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 OM23 SO23 TL23 AD24 CZ24 ES24 MD24 PK24 RO24 SA24 SE24 SK24 TN24 VG24 LY25 PT25 ST25
  IS26 TR26 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 BY28 CY28 DO28 GT28 HU28 LB28 NI28 PL28 SV28 BR29 EG29 PS29 QA29 UA29 JO30 KW30
  MU30 YE30 MT31 SC31 LC32 RU33 BI27 DJ27 FK18`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const ibanStart = /(?<![A-Za-z0-9_])[A-Z]{2}\d{2}(?=[ \u00A0-]?[A-Z0-9])/gi;

/** Finds IBANs, in groups or not: the length of the country, and valid check digits (ISO 13616, ISO 7064 MOD 97-10). */
export function findIbans(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: head, index } of text.matchAll(ibanStart)) {
    const length = ibanLengths.get(head.slice(0, 2).toUpperCase());
    if (length === undefined) continue;
    const read = readCharacters(text, index, length);
    if (read !== null && hasIbanCheck(read.characters)) spans.push({ start: index, end: read.end });
  }
  return spans;
}

/** Reads `count` letters and digits, with single separators between them; null if there are fewer, or the run goes on. */
function readCharacters(
  text: string,
  start: number,
  count: number,
): { characters: string; end: number } | null {
  let characters = '';
  let at = start;
  while (characters.length < count) {
    const character = text.charAt(at);
    if (/[A-Za-z0-9]/.test(character)) characters += character;
    else if (!/[ \u00A0-]/.test(character) || /[ \u00A0-]/.test(text.charAt(at - 1))) return null;
    at += 1;
  }
  return /[A-Za-z0-9]/.test(text.charAt(at)) ? null : { characters: characters.toUpperCase(), end: at };
}

function hasIbanCheck(iban: string): boolean {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
