import type { ReportLocale, ScopeReport } from '@continuity/contract/reports';
import { canonicalJson } from '@continuity/kernel/json';
import { toNfc } from '@continuity/kernel/text';
import { ReportCounts } from '../content/counts.ts';
import { normalizeStrings, reportDigest, splitAtEntries } from '../content/digests.ts';
import { type ReportForm, type ReportFrame, renderers } from '../content/frame.ts';
import { entryBlocks } from '../render/entry.ts';
import { frontMatter } from '../render/front-matter.ts';
import { writeHtml } from '../render/html.ts';
import { writeMarkdown } from '../render/markdown.ts';
import { closingBlocks, type EntryLine, entryLineOf, overviewBlocks } from '../render/overview.ts';
import { pageEnd, pageStart } from '../render/page.ts';
import { type Words, wordsOf } from '../render/words.ts';

/** The body is over the limit. `bytes` counts what was written of it: more than the limit, at most the whole body. */
export class OutputTooLargeError extends Error {
  override name = 'OutputTooLargeError';
  readonly bytes: number;

  constructor(bytes: number) {
    super(`The report has ${bytes} bytes or more.`);
    this.bytes = bytes;
  }
}

/** Collects the parts of a body in UTF-8 and counts their bytes. */
export class LimitedOutput {
  readonly #limit: number;
  #bytes = 0;

  /** `limit` is in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a part and returns its bytes. Throws `OutputTooLargeError` once all parts together are over the limit. */
  add(text: string): Buffer {
    const part = Buffer.from(text, 'utf8');
    this.#bytes += part.length;
    if (this.#bytes > this.#limit) throw new OutputTooLargeError(this.#bytes);
    return part;
  }
}

/** The fields of a report that do not depend on its entries and its form. */
export type ReportHead = Omit<
  ReportFrame,
  'format' | 'renderer_version' | 'summary' | 'coverage' | 'report_digest' | 'locale'
>;

/** A complete report; `body` is UTF-8. */
export interface RenderedReport {
  body: Buffer;
  reportDigest: string;
}

/** The form of a report, and its limit. */
interface ReportBuilderOptions {
  form: ReportForm;
  locale: ReportLocale;
  /** Whether the report has the Project form. */
  isProject: boolean;
  /** Limit of the body, in bytes. */
  limitBytes: number;
}

/**
 * Renders a report entry by entry, so that an entry is needed only while it is added. What stays in memory is text of about
 * twice the limit.
 */
export class ReportBuilder {
  readonly #options: ReportBuilderOptions;
  readonly #words: Words;
  readonly #counts = new ReportCounts();
  readonly #lines: EntryLine[] = [];
  /** The canonical JSON of each entry in NFC, which the digest needs in order. */
  readonly #canonical: Buffer[] = [];
  /** The entries in the form of the body. */
  readonly #parts: Buffer[] = [];
  readonly #output: LimitedOutput;

  constructor(options: ReportBuilderOptions) {
    this.#options = options;
    this.#words = wordsOf(options.locale);
    this.#output = new LimitedOutput(options.limitBytes);
  }

  /** Adds the next entry. Throws `OutputTooLargeError`. */
  add(entry: ScopeReport): void {
    this.#counts.add(entry);
    this.#lines.push(entryLineOf(entry));
    const number = this.#lines.length;
    const canonical = canonicalJson(entry);
    const part = this.#output.add(this.#writeEntry(entry, number, canonical));
    this.#parts.push(part);
    // JSON that NFC leaves as it is has only strings that NFC leaves as they are.
    const normalized = toNfc(canonical) === canonical ? canonical : canonicalJson(normalizeStrings(entry));
    const isSame = this.#options.form === 'json' && normalized === canonical;
    // The comma before all entries but the first is no part of the entry.
    this.#canonical.push(isSame ? part.subarray(number === 1 ? 0 : 1) : Buffer.from(normalized, 'utf8'));
  }

  /** Completes the report. Throws `OutputTooLargeError`. */
  finish(head: ReportHead): RenderedReport {
    const { form, locale } = this.#options;
    const open = {
      ...head,
      ...renderers[form],
      locale,
      summary: this.#counts.summary(),
      coverage: this.#counts.coverage(head),
    };
    const frame = { ...open, report_digest: reportDigest(open, this.#canonical) };
    const [before, after] = this.#writeAround(frame);
    const parts = [this.#output.add(before), ...this.#parts, this.#output.add(after)];
    return { body: Buffer.concat(parts), reportDigest: frame.report_digest };
  }

  #writeEntry(entry: ScopeReport, number: number, canonical: string): string {
    const { form, isProject } = this.#options;
    switch (form) {
      case 'json':
        return number === 1 ? canonical : `,${canonical}`;
      case 'markdown':
        return `\n${writeMarkdown(entryBlocks(entry, number, isProject, this.#words))}`;
      case 'html':
        return writeHtml(entryBlocks(entry, number, isProject, this.#words));
    }
  }

  /** The text before the entries, and the text after them. */
  #writeAround(frame: ReportFrame): [string, string] {
    const w = this.#words;
    switch (frame.format) {
      case 'json':
        return jsonAround(frame);
      case 'markdown':
        return [
          `${frontMatter(frame)}\n${writeMarkdown(overviewBlocks(frame, this.#lines, w))}`,
          `\n${writeMarkdown(closingBlocks(frame, w))}`,
        ];
      case 'html':
        return [
          pageStart(frame, this.#lines, w) + writeHtml(overviewBlocks(frame, this.#lines, w)),
          writeHtml(closingBlocks(frame, w)) + pageEnd,
        ];
    }
  }
}

const responseStart = '{"format":"json","markdown":null,"report":';

/** The HandoffReportResponse up to its entries, and after them. */
function jsonAround(frame: ReportFrame): [string, string] {
  const [before, after] = splitAtEntries(canonicalJson({ ...frame, scopes: [] }));
  return [responseStart + before, after + responseEnd(frame)];
}

function responseEnd({
  report_digest,
  selection_digest,
}: Pick<ReportFrame, 'report_digest' | 'selection_digest'>) {
  return `,"report_digest":"${report_digest}","selection_digest":"${selection_digest}"}`;
}

const digestLength = 'sha256:'.length + 64;
const responseEndLength = responseEnd({
  report_digest: ' '.repeat(digestLength),
  selection_digest: ' '.repeat(digestLength),
}).length;

/** The HandoffReport within a JSON body of `finish`. */
export function reportWithin(body: string): string {
  return body.slice(responseStart.length, body.length - responseEndLength);
}
