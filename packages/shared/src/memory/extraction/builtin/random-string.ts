const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]+$/i;
const DIGEST_BEFORE = /(?:sha-?\d{1,3}|md5|digest|commit|rev|revision)["'`]?[:= ]{1,2}["'`]?$|@$/i;
const INTEGRITY = /^sha\d{3}-/;

/** Characters of a run that are looked at: enough to judge, whatever a pasted file holds. */
const SAMPLE = 256;

/**
 * Whether a run of letters, digits and `+/_=-` is too irregular to be an identifier: the class of character (digit,
 * lower, upper) changes far more often than at the word borders of `camelCase2` names. UUIDs and named digests are
 * public names and pass.
 *
 * @param before some characters in front of the run, to see whether it is called a digest or a commit
 */
export function looksRandom(run: string, before: string): boolean {
  if (UUID.test(run) || INTEGRITY.test(run)) return false;
  if (HEX.test(run) && DIGEST_BEFORE.test(before)) return false;
  const letters = run.slice(0, SAMPLE).replace(/[^A-Za-z0-9]/g, '');
  if (letters.length < 24) return false;
  return classChanges(letters) / (letters.length - 1) >= expectedOfNames(letters);
}

/** The rate of changes that names of the same alphabet stay under; random letters reach 0.4 to 0.6. */
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
