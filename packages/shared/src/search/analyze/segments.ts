/** Cuts a query into segments: lines and their sentences (spec 25 Q1). */

/** Words whose stop ends no sentence, in lower case and without that stop. */
const abbreviations = new Set(
  `e.g i.e eg ie cf vs viz etc approx ca mr mrs ms dr prof st jr sr nr fig figs vol pp eds inc ltd
   co corp dept est ext incl excl resp jan feb apr jun jul aug sep sept oct nov dec al z.b d.h u.a o.ä bzw bspw ggf evtl usw vgl str hr fr z i.d.r u.u p.ex ex mme mlle sra ud
   uds pág núm dott ecc pag bijv enz tel dz ul np tzn tj т.е т.д т.п др г см напр`.match(/\S+/g) ?? [],
);

/** One capital letter, or letters with stops: `J.`, `U.S.`. */
const initials = /^(?:\p{Lu}|(?:\p{L}\.)+\p{L})$/u;
const wordBeforeStop = /([\p{L}\p{N}.]+)\.\s*$/u;
const lineEnd = /[\n\r\u0085\u2028\u2029]$/;
const asciiName = /[A-Za-z0-9]/;
const otherLineEnd = /[\v\f]+/;

/** A longer word is no abbreviation. Keeps the test of a segment without spaces cheap. */
const longestAbbreviation = 12;

/** What ends a line or a sentence by the rules of Unicode (UAX #29). */
const anyEnd = /[\p{Sentence_Terminal}\u2024\uFE52\uFF0E\n\r\u0085\u2028\u2029]/u;
/** Longer texts have several sentences, and the search for the first end is slow in scripts other than Latin. */
const longestQuestion = 256;

const onlySentenceEnds = /^\p{Sentence_Terminal}+$/u;

/** Loaded at its first use, because it takes milliseconds of the start of every process. */
let sentences: Intl.Segmenter | undefined;

/**
 * The segments of a text in order, none of them empty. A line break always ends one; the end of a sentence does unless it is the
 * stop of an abbreviation or an initial. Takes any string, in linear time.
 */
export function splitSegments(text: string): string[] {
  return (isOneSentence(text) ? text.split(otherLineEnd) : splitSentences(text))
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '');
}

/** Fast path: for a question, the segmenter takes as long as the rest of the analysis. */
function isOneSentence(text: string): boolean {
  if (text.length > longestQuestion) return false;
  const end = text.search(anyEnd);
  return end === -1 || onlySentenceEnds.test(text.slice(end));
}

function splitSentences(text: string): string[] {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  const segments: string[] = [];
  let start = 0;
  for (const { index, segment } of sentences.segment(text)) {
    const end = index + segment.length;
    const isEnd = end === text.length || lineEnd.test(segment);
    if (!isEnd && (endsWithAbbreviation(segment) || isInsideName(text, end))) continue;
    segments.push(...text.slice(start, end).split(otherLineEnd));
    start = end;
  }
  segments.push(...text.slice(start).split(otherLineEnd));
  return segments;
}

/** Whether a stop and the letter or digit after it are of one name: `.NET`, `server.Host`. */
function isInsideName(text: string, end: number): boolean {
  return text.charAt(end - 1) === '.' && asciiName.test(text.charAt(end));
}

function endsWithAbbreviation(segment: string): boolean {
  const word = wordBeforeStop.exec(segment.slice(-2 * longestAbbreviation))?.[1];
  return word !== undefined && (initials.test(word) || abbreviations.has(word.toLowerCase()));
}
