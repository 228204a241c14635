const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hexPattern = /^[0-9a-f]+$/i;
const digestBefore = /(?:sha-?\d{1,3}|md5|digest|commit|rev|revision)["'`]?[:= ]{1,2}["'`]?$|@$/i;
const integrity = /^sha\d{3}-/;

/** Limit of characters of a run to examine. */
const sampleLength = 256;

/**
 * Whether a run of letters, digits and `+/_=-` is too irregular to be an identifier: its character class (digit, lower, upper)
 * changes far more often than in `camelCase2` names. False for UUIDs and named digests, which are public.
 *
 * @param before characters before the run, which can name it a digest or a commit
 */
export function isRandomString(run: string, before: string): boolean {
  if (uuidPattern.test(run) || integrity.test(run)) return false;
  if (hexPattern.test(run) && digestBefore.test(before)) return false;
  const letters = run.slice(0, sampleLength).replace(/[^A-Za-z0-9]/g, '');
  if (letters.length < 24) return false;
  return classChanges(letters) / (letters.length - 1) >= expectedOfNames(letters);
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
