import { matchSpans, type Span } from './spans.ts';

const longRun = /(?<![\w+/=-])[\w+/=-]{24,4000}/g;
const uuid = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/gi;
const hexPattern = /^[0-9a-f]+$/i;
const digestBefore =
  /(?:sha-?\d{1,3}|(?<!\p{L})sha|etag|md5|digest|checksum|fingerprint|commit|rev|revision|tree|blob|HEAD|merge|revert|提交|コミット|커밋)s?(?: id| hash)?["'`]?[:= @]{1,2}["'`]?$|@$/iu;
/** `headSha: …`, unlike `Natasha: …`. */
const camelCaseSha = /\p{Ll}S(?:ha|HA)["'`]?[:= @]{1,2}["'`]?$/u;
const integrity = /^sha\d{3}-/;

/** Whether a text ends with words that name the run behind it a digest or a commit. */
export function isDigestName(before: string): boolean {
  return digestBefore.test(before) || camelCaseSha.test(before);
}

/** Limit of characters of a run to examine. */
const sampleLength = 256;

/**
 * Finds runs of at least 24 letters, digits and `+/_=-` that are too irregular to be names. Omits UUIDs and named digests, which are
 * public.
 */
export function findRandomStrings(text: string): Span[] {
  const spans: Span[] = [];
  for (const { start, end, value } of matchSpans(text, longRun)) {
    if (isRandomString(value.slice(0, sampleLength), text.slice(Math.max(0, start - 24), start)))
      spans.push({ start, end });
  }
  return spans;
}

/**
 * Whether a run is too irregular to be an identifier or a path: its character class (digit, lower, upper) changes far more often
 * than in `camelCase2` names, or its letters are not those of words.
 *
 * @param before characters before the run, which can name it a digest or a commit
 */
function isRandomString(run: string, before: string): boolean {
  if (integrity.test(run)) return false;
  if (hexPattern.test(run) && isDigestName(before)) return false;
  const sample = run.replace(uuid, '');
  const letters = sample.replace(/[^A-Za-z0-9]/g, '');
  if (letters.length < 24) return false;
  const changes = classChanges(letters) / (letters.length - 1);
  const words = shareOfWordPairs(sample);
  // A run of mixed classes, few of whose pairs of letters are common in words.
  if (changes >= 0.2 && words !== null && words < 0.55) return true;
  return changes >= expectedOfNames(letters) && (words === null || words < 0.75);
}

/** Upper limit of the change rate of identifiers with the same alphabet. Random strings reach 0.4 to 0.6. */
function expectedOfNames(letters: string): number {
  const digits = letters.replace(/\D/g, '').length;
  if (digits < 3) return 0.45;
  return /[a-z]/.test(letters) && /[A-Z]/.test(letters) ? 0.4 : 0.3;
}

function classChanges(letters: string): number {
  let changes = 0;
  for (let index = 1; index < letters.length; index += 1) {
    if (characterClass(letters.charAt(index)) !== characterClass(letters.charAt(index - 1))) changes += 1;
  }
  return changes;
}

function characterClass(character: string): 'digit' | 'lower' | 'upper' {
  if (character <= '9') return 'digit';
  return character >= 'a' ? 'lower' : 'upper';
}

/**
 * The 200 most frequent pairs of letters in the identifiers and documents of this project and its list of German words. 88 % of the
 * pairs in those words, and 29 % in random Base64 (99th percentile: 56 %).
 */
const wordPairs = new Set(
  `ab ac ad ag ah ai al am an ap ar as at au ax ba be bl bo ca ce ch ck cl co cr ct cu da dd de di do dr ds ea eb ec ed ee ef eg ei el
  em en eo ep eq er es et eu ev ew ex fa fe ff fi fo fr ft ge gr ha he hi hl hn ho hr ht hu ic id ie if ig il im in io ir is it iv ka
  ke ki ks la ld le li ll lo ls lt lu ma me mi mo mp ms na nc nd ne ng ni nn no ns nt nu ob oc od of ol om on oo op or os ot ou ow pa
  pe pl po pr pt pu qu ra rb rc rd re ri rk rm rn ro rr rs rt ru rv ry sa sc se sh si sk so sp ss st su ta tc te th ti to tr ts tt tu
  ty tz uc ue uf ug ui ul um un ur us ut va ve vi wa we wi wo xp xt ze zu`.split(/\s+/),
);

/** Share of the adjacent letters that are common pairs; null with fewer than 8 pairs. */
function shareOfWordPairs(sample: string): number | null {
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
