import { stripDiacritics } from './fold.ts';
import { compoundWords } from './german-words.ts';

/**
 * Takes German compounds apart: `kundendatenbankserver` into `kunden`, `datenbank` and `server`. Cheap and the same on each
 * host: a list of the words that compounds are often made of, and the endings after which a compound goes on.
 */

/** Shorter words are no compounds, or hardly any; longer ones are made to take long. */
const leastLength = 8;
const mostLength = 45;
/** A piece that is in no list has to be as long as this, and a listed one beside it as long as the second. */
const leastUnlisted = 4;
const leastBeside = 5;
const mostParts = 4;

const words = new Set(compoundWords.map(stripDiacritics));
const longest = Math.max(...[...words].map((word) => word.length));
const shortest = Math.min(...[...words].map((word) => word.length));

// What may stand between two parts: Zahlung-s-frist, Bild-er-rahmen, Kunde-n-konto.
const links = ['', 's', 'n', 'en', 'es', 'er', 'e', 'ns'];
// The endings of a noun or adjective.
const inflection = /^(?:e|n|en|s|es|er|ern|em|in|innen)?$/;
// A noun of such an ending takes an s before the next part, and nothing else has these letters inside.
const linkedNoun = /^(.{2,}?(?:ung|heit|keit|schaft|ion|tat|ling|tum))s(?=[a-z]{3})/;
// No part but the beginning of a verb's noun: `Untersuchung` is nothing of `unter`.
const prefix =
  /^(?:ab|an|auf|aus|be|bei|da|dar|durch|ein|ent|er|fort|ge|gegen|her|hin|hinter|los|miss|mit|nach|nieder|uber|um|un|unter|ver|vor|weg|weiter|wider|wieder|zer|zu|zuruck|zusammen|zwischen)$/;
// No part but an ending that makes another word.
const suffix =
  /^(?:artig|bar|frei|haft|heit|ig|isch|keit|lich|ling|los|massig|sam|schaft|tum|ung|voll|weise|wert)/;
// `verarbeitung`, `umwandlung`: a noun of a verb with a prefix is a part in any compound.
const verbalNoun =
  /^(?:ab|an|auf|aus|be|bei|durch|ein|ent|er|nach|uber|um|unter|ver|vor|weiter|wieder|zer|zu|zusammen)[a-z]{3,}ung(?:en)?$/;
// An adjective, which may end in what looks like a noun: `automa-tisch`.
const adjective = /(?:isch|lich|licht)(?:e[mnrs]?|er|st)?$/;
// No German word begins with s and one of these: it links two parts.
const linkingS = /^s(?=[bdfghjklmnrsvwz])/;
const vowel = /[aeiouy]/;
const plain = /^[a-z]+$/;

/** How much of a guess is allowed. */
export type Boldness = 'listed words only' | 'known German';

/** What a compound is made of, without what links the parts. */
export interface Compound {
  /** Each part before the last one. */
  modifiers: string[];
  /** The last part, in the form that it has; of three parts or more also each two neighbours. */
  heads: string[];
}

/** Takes a folded word apart; null where it is no compound. Of a text that is known to be German, one part may be unlisted. */
export function splitCompound(folded: string, boldness: Boldness): Compound | null {
  const word = stripDiacritics(folded);
  if (word.length < leastLength || word.length > mostLength || !plain.test(word)) return null;
  const parts = splitListed(word) ?? (boldness === 'known German' ? splitBoldly(word) : null);
  if (parts === null || parts.length < 2) return null;
  const names = parts.map(({ from, to }) => word.slice(from, to));
  const neighbours = parts.slice(1).map(({ to }, index) => word.slice(parts[index]?.from, to));
  return {
    modifiers: names.slice(0, -1),
    heads: [...names.slice(-1), ...(parts.length > 2 ? neighbours : [])],
  };
}

interface Part {
  from: number;
  /** Where its name ends, and the link begins. */
  to: number;
}

/** Into the fewest listed words; a listed word is itself. Null where something is left over. */
function splitListed(word: string, from = 0, budget = mostParts): Part[] | null {
  if (budget === 0) return null;
  let best: Part[] | null = null;
  for (let to = Math.min(word.length, from + longest); to >= from + shortest; to -= 1) {
    const name = word.slice(from, to);
    if (!words.has(name) && !(from > 0 && verbalNoun.test(name))) continue;
    if (inflection.test(word.slice(to))) return [{ from, to: word.length }];
    const rest = splitAfter(word, to, (best?.length ?? budget + 1) - 2);
    if (rest !== null) best = [{ from, to }, ...rest];
  }
  return best;
}

function splitAfter(word: string, to: number, budget: number): Part[] | null {
  let best: Part[] | null = null;
  for (const link of links) {
    if (budget < 1 || !word.startsWith(link, to)) continue;
    const rest = splitListed(word, to + link.length, Math.min(budget, (best?.length ?? budget + 1) - 1));
    if (rest !== null) best = rest;
  }
  return best;
}

/** With one part that is in no list: before or after a noun's linked ending, or beside a listed word. */
function splitBoldly(word: string): Part[] | null {
  if (adjective.test(word)) return null;
  return splitAtEnding(word) ?? splitAtHead(word) ?? splitAtStart(word);
}

function splitAtEnding(word: string): Part[] | null {
  const noun = linkedNoun.exec(word)?.[1];
  if (noun === undefined) return null;
  const from = noun.length + 1;
  const rest = splitListed(word, from) ?? (isPart(word.slice(from)) ? [{ from, to: word.length }] : null);
  if (rest === null) return null;
  return [...(splitListed(noun) ?? [{ from: 0, to: noun.length }]), ...rest];
}

/** The last part is listed: `bausparvertrag`. */
function splitAtHead(word: string): Part[] | null {
  for (let from = leastUnlisted; from <= word.length - leastBeside; from += 1) {
    const rest = splitListed(word, from, 1);
    if (rest !== null && isPart(word.slice(0, from))) return [{ from: 0, to: from }, ...rest];
  }
  return null;
}

/** The first part is listed: `kundenzufriedenheit`. */
function splitAtStart(word: string): Part[] | null {
  for (let to = Math.min(longest, word.length - leastUnlisted); to >= leastBeside; to -= 1) {
    const from = linkingS.test(word.slice(to)) ? to + 1 : to;
    if (words.has(word.slice(0, to)) && isPart(word.slice(from)))
      return [
        { from: 0, to },
        { from, to: word.length },
      ];
  }
  return null;
}

function isPart(piece: string): boolean {
  return piece.length >= leastUnlisted && vowel.test(piece) && !prefix.test(piece) && !suffix.test(piece);
}
