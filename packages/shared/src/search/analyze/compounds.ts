import { stripDiacritics } from './fold.ts';
import { compoundWords } from './german-words.ts';

/**
 * Splits German compounds: `kundendatenbankserver` into `kunden`, `datenbank` and `server`. Cheap and deterministic: a list
 * of words that compounds are often made of, and the endings after which a compound continues.
 */

/** Shorter words are hardly ever compounds; longer ones could be built to take long. */
const minLength = 8;
const maxLength = 45;
/** Limits in characters of an unlisted part, and of the listed part next to it. */
const minUnlisted = 4;
const minBesideUnlisted = 5;
const maxParts = 4;

const words = new Set(compoundWords.map(stripDiacritics));
const longest = Math.max(...[...words].map((word) => word.length));
const shortest = Math.min(...[...words].map((word) => word.length));

// Linking elements between two parts: Zahlung-s-frist, Bild-er-rahmen, Kunde-n-konto.
const links = ['', 's', 'n', 'en', 'es', 'er', 'e', 'ns'];
// Inflections of a noun or adjective.
const inflection = /^(?:e|n|en|s|es|er|ern|em|in|innen)?$/;
// A noun with such an ending takes an s before the next part; no other word contains these letters.
const linkedNoun = /^(.{2,}?(?:ung|heit|keit|schaft|ion|tat|ling|tum))s(?=[a-z]{3})/;
// A verbal prefix is not a part: `Untersuchung` does not contain `unter`.
const prefix =
  /^(?:ab|an|auf|aus|be|bei|da|dar|durch|ein|ent|er|fort|ge|gegen|her|hin|hinter|los|miss|mit|nach|nieder|uber|um|un|unter|ver|vor|weg|weiter|wider|wieder|zer|zu|zuruck|zusammen|zwischen)$/;
// A derivational suffix is not a part.
const suffix =
  /^(?:artig|bar|frei|haft|heit|ig|isch|keit|lich|ling|los|massig|sam|schaft|tum|ung|voll|weise|wert)/;
// `verarbeitung`, `umwandlung`: the noun of a prefixed verb is always a part.
const verbalNoun =
  /^(?:ab|an|auf|aus|be|bei|durch|ein|ent|er|nach|uber|um|unter|ver|vor|weiter|wieder|zer|zu|zusammen)[a-z]{3,}ung(?:en)?$/;
// An adjective can end in letters that look like a noun: `automa-tisch`.
const adjective = /(?:isch|lich|licht)(?:e[mnrs]?|er|st)?$/;
// No German word begins with s and one of these letters, so the s links two parts.
const linkingS = /^s(?=[bdfghjklmnrsvwz])/;
const vowel = /[aeiouy]/;
const plain = /^[a-z]+$/;

/** Which parts a compound may have. In a text that may be in another language, an unlisted part would split foreign words. */
export type CompoundParts = 'listed' | 'one unlisted';

/** The parts of a compound, without linking elements. */
export interface Compound {
  /** Each part before the last one. */
  modifiers: string[];
  /** The last part as it is inflected; with three parts or more also each two neighbors. */
  heads: string[];
}

/** Splits a folded word; null if it is no compound. */
export function splitCompound(folded: string, allowed: CompoundParts): Compound | null {
  const word = stripDiacritics(folded);
  if (word.length < minLength || word.length > maxLength || !plain.test(word)) return null;
  const parts = splitListed(word) ?? (allowed === 'one unlisted' ? splitWithUnlisted(word) : null);
  if (parts === null || parts.length < 2) return null;
  const names = parts.map(({ from, to }) => word.slice(from, to));
  const neighbors = parts.slice(1).map(({ to }, index) => word.slice(parts[index]?.from, to));
  return {
    modifiers: names.slice(0, -1),
    heads: [...names.slice(-1), ...(parts.length > 2 ? neighbors : [])],
  };
}

interface Part {
  from: number;
  /** End of its name, where the linking element begins. */
  to: number;
}

/** Splits into the fewest listed words; null if a rest remains. A listed word stays whole. */
function splitListed(word: string, from = 0, budget = maxParts): Part[] | null {
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

/** Splits with one unlisted part: before or after a noun's linked ending, or next to a listed word. */
function splitWithUnlisted(word: string): Part[] | null {
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
  for (let from = minUnlisted; from <= word.length - minBesideUnlisted; from += 1) {
    const rest = splitListed(word, from, 1);
    if (rest !== null && isFirstPart(word.slice(0, from))) return [{ from: 0, to: from }, ...rest];
  }
  return null;
}

/** The first part is listed: `kundenzufriedenheit`. */
function splitAtStart(word: string): Part[] | null {
  for (let to = Math.min(longest, word.length - minUnlisted); to >= minBesideUnlisted; to -= 1) {
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
  return isFirstPart(piece) && !suffix.test(piece);
}

function isFirstPart(piece: string): boolean {
  return piece.length >= minUnlisted && vowel.test(piece) && !prefix.test(piece);
}
