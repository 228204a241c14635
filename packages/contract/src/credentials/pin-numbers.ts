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
 * both too, and is none of a connector.
 */
const ownedPinPattern = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${pinNames}|[Cc]ode secret|(?<!(?:GPIO|gpio|[Bb]oard|[Hh]eader|[Cc]onnector)[ _-])[Pp]in)${pinOwner}(?:[^\\S\\n]{0,3}[:=\\uFF1A]|[^\\S\\n]{1,3}(?:is(?: now)?|ist(?: jetzt)?|lautet|est|es|è|é))[^\\S\\n]{1,3}["'\`*]{0,3}(?<value>(?!(?:19|20)\\d\\d(?!\\d))\\d{4,8})(?=["'\`*”’)]{0,3}[^\\S\\n]{0,3}(?:[.,;!\\n]|$))`,
  'dgu',
);

/** Finds the numbers of PINs. */
export function findPinNumbers(text: string): Span[] {
  return [...text.matchAll(pinPattern), ...text.matchAll(ownedPinPattern)].map(({ indices }) => {
    const [start, end] = indices?.groups?.['value'] ?? [0, 0];
    return { start, end };
  });
}
