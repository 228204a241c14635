/** Seed and factor of the FNV-1a hash. */
const hashSeed = 0x811c9dc5;
const hashFactor = 0x01000193;

/** Number of slots of the hash table: a power of two, about twice the number of pieces. */
const slots = 2 ** 19;

/** Pieces that never match text: `<s>`, `<pad>`, `</s>` and `<unk>` at the start, `<mask>` at the end. */
const controlPieces = 4;

/** SentencePiece scores an unknown character by this much below the least likely piece. */
const unknownPenalty = 10;

/** Characters that normalization replaces, by code point. */
type Replacements = ReadonlyMap<number, string>;

/**
 * The pieces of a SentencePiece unigram model in typed arrays, which take 10 MB instead of the 60 MB of a `Map`. The id of a piece is its
 * place in the file.
 */
export class Vocabulary {
  readonly replacements: Replacements;
  /** Id of the unknown token. */
  readonly unknown: number;
  /** Score of an unknown character. */
  readonly unknownScore: number;
  /** Length of the longest piece, in bytes. */
  readonly maxBytes: number;
  readonly #scores: Float32Array;
  readonly #bytes: Uint8Array;
  /** Where the bytes of each piece begin; one more for the end of the last piece. */
  readonly #offsets: Uint32Array;
  /** Hash table with open addressing: a piece's id plus one, or 0. */
  readonly #table = new Int32Array(slots);

  /** Reads `pieces.bin`, whose layout `make-model.py` describes. */
  constructor(file: Uint8Array) {
    const copy = file.slice().buffer;
    const [pieces = 0, pieceBytes = 0, mapped = 0, replacing = 0, unknown = 0] = new Uint32Array(copy, 0, 5);
    let at = 20;
    const next = (bytes: number) => {
      at += bytes;
      return at - bytes;
    };
    this.#scores = new Float32Array(copy, next(pieces * 4), pieces);
    const characters = new Uint32Array(copy, next(mapped * 4), mapped);
    const replacements = new Uint32Array(copy, next(replacing * 4), replacing);
    const replacementLengths = new Uint8Array(copy, next(mapped), mapped);
    const lengths = new Uint8Array(copy, next(pieces), pieces);
    this.#bytes = new Uint8Array(copy, next(pieceBytes), pieceBytes);
    this.#offsets = offsetsOf(lengths);
    this.replacements = readReplacements(characters, replacements, replacementLengths);
    this.unknown = unknown;
    this.maxBytes = lengths.reduce((most, length) => Math.max(most, length), 0);
    this.unknownScore = this.#scores.reduce((least, score) => Math.min(least, score), 0) - unknownPenalty;
    for (let id = controlPieces; id < pieces - 1; id += 1) this.#insert(id);
  }

  /** The logarithm of the probability of a piece. */
  scoreOf(id: number): number {
    return this.#scores[id] ?? this.unknownScore;
  }

  /**
   * Calls `onPiece` for each piece that `text` has at `start`, with its id and the end of the piece. `isBoundary` has a 1 where a
   * character may end.
   */
  match(
    text: Uint8Array,
    start: number,
    isBoundary: Uint8Array,
    onPiece: (id: number, end: number) => void,
  ): void {
    const limit = Math.min(text.length, start + this.maxBytes);
    let hash = hashSeed;
    for (let end = start; end < limit; ) {
      hash = Math.imul(hash ^ (text[end] as number), hashFactor);
      end += 1;
      if (isBoundary[end] !== 1) continue;
      const id = this.#find(hash, text, start, end);
      if (id >= 0) onPiece(id, end);
    }
  }

  #find(hash: number, text: Uint8Array, start: number, end: number): number {
    for (let slot = slotOf(hash); ; slot = (slot + 1) % slots) {
      const id = (this.#table[slot] as number) - 1;
      if (id < 0 || this.#isPiece(id, text, start, end)) return id;
    }
  }

  #isPiece(id: number, text: Uint8Array, start: number, end: number): boolean {
    const from = this.#offsets[id] as number;
    if ((this.#offsets[id + 1] as number) - from !== end - start) return false;
    for (let index = start; index < end; index += 1)
      if (this.#bytes[from + index - start] !== text[index]) return false;
    return true;
  }

  #insert(id: number): void {
    const end = this.#offsets[id + 1] as number;
    let hash = hashSeed;
    for (let index = this.#offsets[id] as number; index < end; index += 1)
      hash = Math.imul(hash ^ (this.#bytes[index] as number), hashFactor);
    let slot = slotOf(hash);
    while (this.#table[slot] !== 0) slot = (slot + 1) % slots;
    this.#table[slot] = id + 1;
  }
}

/** The low bits of an FNV hash depend on few bits of the last byte, so the high ones are mixed in. */
function slotOf(hash: number): number {
  return ((hash >>> 13) ^ hash) & (slots - 1);
}

function offsetsOf(lengths: Uint8Array): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) offsets[index + 1] = (offsets[index] as number) + length;
  return offsets;
}

function readReplacements(
  characters: Uint32Array,
  replacements: Uint32Array,
  lengths: Uint8Array,
): Replacements {
  let at = 0;
  return new Map(
    Array.from(characters, (character, index) => {
      const from = at;
      at += lengths[index] ?? 0;
      return [character, String.fromCodePoint(...replacements.subarray(from, at))] as const;
    }),
  );
}
