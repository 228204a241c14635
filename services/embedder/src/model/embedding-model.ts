import { readFileSync } from 'node:fs';
import type { EmbedInputType } from '@continuity/contract/embedder';
import type { InferenceSession, Tensor, TensorConstructor } from 'onnxruntime-node';
import { tokenize } from '../tokenizer/tokenize.ts';
import { Vocabulary } from '../tokenizer/vocabulary.ts';
import type { ModelFiles } from './model-files.ts';
import { loadRuntime } from './runtime.ts';
import { TokenRows, width } from './token-rows.ts';

/** Limit of the tokens of a text with its prefix: the model has 512 positions, two of them for its marks of begin and end. */
const maxTokens = 510;

const beginToken = 0;
const endToken = 2;

/** A text as a vector. */
export interface EmbeddedText {
  /** Of length 1. */
  vector: Float32Array;
  /** Tokens that the encoder has read. */
  tokens: number;
}

/** The built-in model: multilingual-e5-small with weights of 4 and 8 bits (spec 26 S13). */
export class EmbeddingModel {
  readonly #vocabulary: Vocabulary;
  readonly #rows: TokenRows;
  readonly #session: InferenceSession;
  readonly #tensor: TensorConstructor;
  /** Subtracted from each vector: the mean of many texts, which the vectors of this model have in common. */
  readonly #centre: Float32Array;

  private constructor(
    vocabulary: Vocabulary,
    rows: TokenRows,
    session: InferenceSession,
    tensor: TensorConstructor,
    centre: Float32Array,
  ) {
    this.#vocabulary = vocabulary;
    this.#rows = rows;
    this.#session = session;
    this.#tensor = tensor;
    this.#centre = centre;
  }

  /** Opens a model whose encoder runs on `threads` threads. Throws a `StartRefusedError` if the runtime cannot be loaded. */
  static async open(files: ModelFiles, threads: number): Promise<EmbeddingModel> {
    const runtime = loadRuntime();
    const session = await runtime.InferenceSession.create(files['encoder.onnx'], {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      // The memory of a long text would stay allocated, 30 MB, for a gain that cannot be measured.
      enableCpuMemArena: false,
      enableMemPattern: false,
      // Threads that spin would take the processors from the gateway.
      extra: {
        session: { intra_op: { allow_spinning: '0' }, inter_op: { allow_spinning: '0' } },
        // The fused operator takes five times the time of the two that it replaces (runtime 1.30.0), a fifth of the whole encoder.
        optimization: { disable_specified_optimizers: 'SkipLayerNormFusion' },
      },
    });
    const vocabulary = new Vocabulary(readFileSync(files['pieces.bin']));
    const rows = new TokenRows([files['embeddings-0.q4'], files['embeddings-1.q4']]);
    const centre = readFloats(files['centre.f32']);
    return new EmbeddingModel(vocabulary, rows, session, runtime.Tensor, centre);
  }

  /** Embeds one text: the mean of the states of its first tokens, less the centre, both times scaled to length 1. */
  async embed(text: string, type: EmbedInputType): Promise<EmbeddedText> {
    const tokens = [beginToken, ...tokenize(this.#vocabulary, `${type}: ${text}`, maxTokens), endToken];
    const mean = toUnitLength(meanOf(await this.#encode(tokens)));
    for (const [index, value] of this.#centre.entries()) mean[index] = (mean[index] as number) - value;
    return { vector: toUnitLength(mean), tokens: tokens.length };
  }

  async close(): Promise<void> {
    this.#rows.close();
    await this.#session.release();
  }

  /** The states of the tokens, one row after the other. */
  async #encode(tokens: readonly number[]): Promise<Float32Array> {
    const rows = new Float32Array(tokens.length * width);
    for (const [place, token] of tokens.entries()) this.#rows.read(token, rows, place * width);
    const positions = BigInt64Array.from(tokens, (_, place) => BigInt(place));
    const { states } = await this.#session.run({
      rows: new this.#tensor('float32', rows, [1, tokens.length, width]),
      positions: new this.#tensor('int64', positions, [1, tokens.length]),
    });
    return (states as Tensor).data as Float32Array;
  }
}

function readFloats(path: string): Float32Array {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

function meanOf(states: Float32Array): Float32Array {
  const mean = new Float32Array(width);
  const share = width / states.length;
  for (let index = 0; index < states.length; index += 1)
    mean[index % width] = (mean[index % width] as number) + (states[index] as number) * share;
  return mean;
}

function toUnitLength(values: Float32Array): Float32Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value / length);
}
