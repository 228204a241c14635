import { operations } from '@continuity/contract/operations';
import fc from 'fast-check';
import type { DocumentUnderTest } from '../contract/support/document.ts';
import { type Answer, checkAnswer, checkExpected, jsonValue } from './answers.ts';
import { type Call, calls, type Manners, type Request, requestOf } from './call.ts';
import { Pool } from './pool.ts';
import type { Tally } from './tally.ts';
import { ownScope } from './values/arbitrary.ts';
import { isBeginning } from './values/schema.ts';
import { bytesOf, targetOf } from './wire/draft.ts';
import { exchange } from './wire/exchange.ts';

/** Calls that are sent concurrently. The next step waits for all of them. */
export type Step = Call[];

/** Generates steps of one call, of several calls, and of one call several times. */
export function steps(manners: Manners, among = operations): fc.Arbitrary<Step> {
  const one = calls(manners, among);
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: one.map((call) => [call]) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 2, maxLength: 6 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(one, fc.integer({ min: 2, max: 6 }))
        .map(([call, times]) => Array<Call>(times).fill(call)),
    },
  );
}

/** Generates chains of steps. The first steps create data to which the others can refer. */
export function chains(manners: Manners): fc.Arbitrary<Step[]> {
  const first = fc.array(steps(manners, operations.filter(isBeginning)), { maxLength: 12, size: 'max' });
  const others = fc.array(steps(manners), { maxLength: 70, size: 'max' });
  return fc.tuple(first, others).map((both) => both.flat());
}

/** A request and its answer, for the checks of a run. */
export interface Exchange {
  request: Request;
  /** The sent body as JSON. */
  sent: unknown;
  answer: Answer;
}

export interface Stage {
  url: string;
  /** One token per tenant. */
  tokens: readonly string[];
  tally: Tally;
  /** For each tenant, the ids that it has sent or received, in this run or an earlier one. */
  known: Set<string>[];
  /** The OpenAPI document of the service. */
  document: DocumentUnderTest;
}

/** Length limit of the part of a body that a failure shows, in characters. */
const maxShown = 600;

/** Plays steps on a running service, and checks each answer. Its errors contain all sent requests. */
export class Player {
  readonly exchanges: Exchange[] = [];
  readonly stage: Stage;
  /** The Scopes of this run, whether or not they were written to. */
  readonly scopes: readonly string[];
  readonly #pool = new Pool();
  readonly #lines: string[] = [];

  constructor(stage: Stage, scopes: readonly string[]) {
    this.stage = stage;
    this.scopes = scopes;
    for (const tenant of stage.tokens.keys()) {
      for (const scope_id of scopes.toReversed())
        this.#pool.harvest({ [ownScope]: scope_id }, { tenant, operation: undefined, scope: undefined });
    }
  }

  async play(all: Step[]): Promise<void> {
    for (const step of all) {
      const requests = step.map((call) => requestOf(call, this.#pool, this.stage.tokens));
      await this.#checked(async () => {
        const done = await Promise.allSettled(requests.map((request) => this.#send(request)));
        for (const one of done) if (one.status === 'rejected') throw one.reason;
      });
    }
  }

  /** Runs a check of what was played; its failure shows all that was sent. */
  async check(what: string, work: () => Promise<void>): Promise<void> {
    this.#lines.push(`check: ${what}`);
    await this.#checked(work);
  }

  async #checked(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error([message, ...this.#lines].join('\n  '), { cause: error });
    }
  }

  async #send(request: Request): Promise<void> {
    const { draft, call } = request;
    const bytes = bytesOf(draft);
    const line = this.#lines.push(describe(request)) - 1;
    const raw = await exchange(this.stage.url, bytes, draft.endsEarly);
    this.#lines[line] += `\n    → ${raw === undefined ? 'nothing' : `${raw.status} ${show(raw.text)}`}`;
    if (raw === undefined) {
      if (call.tricks.some(({ mayStaySilent }) => mayStaySilent === true)) return;
      throw new Error('The connection was cut before the answer was whole.');
    }
    const answer = checkAnswer(request, raw, this.stage.document);
    this.stage.tally.count(call.operation, answer);
    checkExpected(request, answer);
    const sent = draft.body && jsonValue(withoutMark(draft.body.toString('utf8')));
    this.#separateTenants(request, bytes, raw.text);
    this.exchanges.push({ request, sent, answer });
    this.#harvest(request, sent, answer);
  }

  #harvest({ place, plain }: Request, sent: unknown, answer: Answer): void {
    this.#pool.harvest(answer.body ?? answer.error?.details, place);
    const etag = answer.headers.get('etag');
    if (etag !== null) this.#pool.harvest({ 'if-match': etag, 'if-none-match': etag }, place);
    if (answer.error === undefined && plain !== undefined)
      this.#pool.harvest({ ...plain.params, ...plain.headers, ...Object(sent) }, place);
  }

  /** No id that the service made for one tenant is shown to the other, unless that one has named it itself. */
  #separateTenants({ place: { tenant } }: Request, bytes: Buffer, answer: string): void {
    const own = this.stage.known[tenant];
    for (const id of idsIn(bytes.toString('latin1'))) own?.add(id);
    for (const id of idsIn(answer)) {
      const isForeign = this.stage.known.some((known, other) => other !== tenant && known.has(id));
      if (isForeign && own?.has(id) === false)
        throw new Error(`The answer shows ${id}, which is another tenant's.`);
      own?.add(id);
    }
  }
}

function idsIn(text: string): string[] {
  return text.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gi) ?? [];
}

/** A byte order mark at the start is none of the text (RFC 8259 §8.1). */
function withoutMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

function describe({ draft, call, place: { tenant } }: Request): string {
  const own = draft.headers.filter(([name]) => !['Host', 'Authorization', 'Content-Type'].includes(name));
  const headers = own.map(([name, value]) => ` ${name}: ${show(value)}`).join('');
  const names = call.tricks.map(({ name }) => name).join(', ');
  const how = names === '' ? '' : ` [${names}]`;
  return `${tenant} ${draft.method} ${show(targetOf(draft))}${headers}${how} ${show(draft.body?.toString('utf8') ?? '')}`;
}

function show(text: string): string {
  const visible = text
    .slice(0, maxShown)
    .replaceAll(/[^\x20-\x7e\p{L}\p{N}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return text.length <= maxShown ? visible : `${visible}… (${text.length} characters)`;
}
