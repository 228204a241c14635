import type { Span } from './spans.ts';

// Numbers that a text gives to a PIN: `PIN 4711`, `the PIN for the safe is 4711`.

const pinNames =
  '(?:(?:the |our |your |my )?PIN(?:[- ][Cc]ode)?|[Pp]in[- ][Cc]ode|code PIN|PUK|暗証番号|PIN ?码|PIN 번호|(?:[Bb]ank|[Kk]arten|[Hh]andy|[Ss]im)-?pin)';

const pinPattern = new RegExp(
  `(?<![\\p{L}\\p{N}_])${pinNames}[^\\S\\n]{0,3}(?:[:=\\uFF1A]|is|ist|lautet|est|es|è|é|は|是|为|[—–-])?[^\\S\\n]{0,3}["'\`*]{0,3}(?<value>\\d{4,8})(?!\\d)`,
  'dgu',
);
/** What a PIN is for: `PIN for the safe`, `code secret de l’alarme`. */
const pinOwner =
  "(?:[^\\S\\n]{1,3}(?:for|of|für|vom|von|zum|zur|de|du|des|della?|do|da|pour|para|van|voor)(?:[^\\S\\n]{1,3}[\\p{L}'’-]{1,24}){1,4})?";
/**
 * A number that a colon or a verb gives to the PIN of something, as the end of its clause. It is no year. `pin` in lower case needs
 * both too.
 */
const ownedPinPattern = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${pinNames}|[Cc]ode secret|[Pp]in)${pinOwner}(?:[^\\S\\n]{0,3}[:=\\uFF1A]|[^\\S\\n]{1,3}(?:is(?: now)?|ist(?: jetzt)?|lautet|est|es|è|é))[^\\S\\n]{1,3}["'\`*]{0,3}(?<value>(?!(?:19|20)\\d\\d(?!\\d))\\d{4,8})(?=["'\`*”’)]{0,3}[^\\S\\n]{0,3}(?:[.,;!\\n]|$))`,
  'dgu',
);

/** Whose `pin` is that of a connector: `GPIO pin`. `chip` is none of them: a chip card has a PIN. */
const connectorBefore =
  /(?<![\p{L}\d])(?:GPIO|JTAG|SWD|UART|SPI|I2C|I²C|ADC|PWM|GND|VCC|LED|CPU|MCU|FPGA|RX|TX|Arduino|board|header|connector|socket|analog|digital|input|output|interrupt|clock|ground)[ _-]$/iu;

/** An address with a road and a town, or a label and two parts, before `Pin: 560001`, the postal code of India. */
const addressBefore =
  /(?:(?<!\p{L}[ \t])(?<!\p{L})address[ \t]{0,2}[:\n][^.,:;@\n]{3,60}|(?<!\p{L})(?:road|rd|nagar|marg|layout|colony|sector)(?!\p{L})\.?[^.,:;@\n]{0,20})[,\n](?:[^.:;@]{0,60}[,\n])?[^.:;@,\n\d]{2,40}[,\n–-][^\S\n]{0,3}$/iu;
/** Things that a PIN opens: beside one, a number is no postal code. */
const lock =
  /(?<!\p{L})(?:vault|safe|door|gate|alarm|locker|lock|card|phone|sim|tresor|tür|tor|schloss|karte|coffre|porte|carte|puerta|caja fuerte|tarjeta)(?!\p{L})/iu;
const indianPostalCode = /^[1-9]\d{5}$/;

/** Characters before a PIN that are read. */
const reach = 160;

/** Finds the numbers of PINs. */
export function findPinNumbers(text: string): Span[] {
  const spans: Span[] = [];
  for (const match of [...text.matchAll(pinPattern), ...text.matchAll(ownedPinPattern)]) {
    const [start, end] = match.indices?.groups?.['value'] ?? [0, 0];
    const before = text.slice(Math.max(0, match.index - reach), match.index);
    if (/^[Pp]in(?![ -][Cc]ode)/.test(match[0]) && connectorBefore.test(before)) continue;
    const isPostal = indianPostalCode.test(text.slice(start, end)) && addressBefore.test(before);
    if (isPostal && !lock.test(before)) continue;
    spans.push({ start, end });
  }
  return spans;
}
