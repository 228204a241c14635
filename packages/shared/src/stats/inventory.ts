import { maxListed } from '@continuity/contract/stats';
import { compareCodePoints } from '@continuity/shared/kernel';
import type { Sum } from './by-scope.ts';
import { noCandidates } from './candidates.ts';
import { counterQuery } from './counter-query.ts';
import type { Of } from './counters.ts';
import { type KindCounter, readKinds, requireFewKinds } from './kinds.ts';
import { figureWriter, marks, openingsOf } from './members.ts';
import { type Part, partOf, partOfQuery } from './part.ts';
import type { TextStore } from './text-store.ts';

type SourceCounter = [Of, total: number, pending: number];
type ArtifactCounter = [Of, family: string, heads: number];
type EntryCounter = [Of, active: number, inactive: number];

const selectSources = counterQuery('stats_sources', {
  table: 'source_lines',
  figures: ['last_position', 'eligible_count - extracted_count'],
});

const selectArtifacts = counterQuery('stats_artifacts', {
  table: 'artifact_counts',
  names: ['family'],
  figures: ['heads'],
});

const selectEntries = counterQuery('stats_entries', {
  table: 'memory_totals',
  figures: ['active_entries', 'inactive_entries'],
});

/** What Scopes hold (spec 20 T3, T4): the parts of the member `inventory`, in their order. */
export const inventoryParts: readonly Part[] = [
  partOfQuery<SourceCounter>(selectSources, () => new SourceSum()),
  partOfQuery<ArtifactCounter>(selectArtifacts, () => new ArtifactSum()),
  partOfQuery<EntryCounter>(selectEntries, () => new EntrySum()),
  partOf<KindCounter>({
    // A write that changes kinds changes the totals of the Scope; of its kinds there may be thousands to look at.
    table: 'memory_totals',
    read: readKinds,
    requireFew: requireFewKinds,
    open: () => new KindSum(),
  }),
];

const writeSources = figureWriter('"inventory":{"sources":{', [
  'total',
  'memory_processed',
  'memory_pending',
]);

class SourceSum implements Sum<SourceCounter> {
  #total = 0;
  #pending = 0;

  add(counter: SourceCounter): void {
    this.#total += counter[1];
    this.#pending += counter[2];
  }

  end(out: TextStore): void {
    writeSources(out, this.#total, this.#total - this.#pending, this.#pending);
    this.#total = 0;
    this.#pending = 0;
  }
}

const writeArtifacts = figureWriter('},"artifacts":{', ['total'], ',"by_family":[');
const writeHeads = figureWriter('', ['total'], '}');

class ArtifactSum implements Sum<ArtifactCounter> {
  #total = 0;
  readonly #families = new Map<string, number>();
  readonly #opening = openingsOf('family');

  add(counter: ArtifactCounter): void {
    this.#total += counter[2];
    this.#families.set(counter[1], (this.#families.get(counter[1]) ?? 0) + counter[2]);
  }

  end(out: TextStore): void {
    writeArtifacts(out, this.#total);
    for (const [place, [family, total]] of ascending(this.#families).entries()) {
      if (place > 0) out.bytes(marks.comma);
      out.bytes(this.#opening(family));
      writeHeads(out, total);
    }
    out.bytes(marks.endList);
    this.#total = 0;
    this.#families.clear();
  }
}

const entryNames = ['total', 'active', 'inactive'];
const writeEntries = figureWriter(
  `},"candidates":${JSON.stringify(noCandidates)},"memory":{"entries":{`,
  entryNames,
);

class EntrySum implements Sum<EntryCounter> {
  #active = 0;
  #inactive = 0;

  add(counter: EntryCounter): void {
    this.#active += counter[1];
    this.#inactive += counter[2];
  }

  end(out: TextStore): void {
    writeEntries(out, this.#active + this.#inactive, this.#active, this.#inactive);
    this.#active = 0;
    this.#inactive = 0;
  }
}

const kindsKey = Buffer.from(',"by_kind":[');
const kindsEnd = Buffer.from(']}}}');
const writeKind = figureWriter('', entryNames, '}');

class KindSum implements Sum<KindCounter> {
  readonly #kinds = new Map<string, { active: number; inactive: number }>();
  readonly #opening = openingsOf('kind');

  add(counter: KindCounter): void {
    const known = this.#kinds.get(counter[1]);
    if (known === undefined) {
      this.#kinds.set(counter[1], { active: counter[2], inactive: counter[3] });
      return;
    }
    known.active += counter[2];
    known.inactive += counter[3];
  }

  end(out: TextStore): void {
    out.bytes(kindsKey);
    const first = ascending(this.#kinds).slice(0, maxListed);
    for (const [place, [kind, { active, inactive }]] of first.entries()) {
      if (place > 0) out.bytes(marks.comma);
      out.bytes(this.#opening(kind));
      writeKind(out, active + inactive, active, inactive);
    }
    out.bytes(kindsEnd);
    this.#kinds.clear();
  }
}

/** By the UTF-8 bytes of the names. */
function ascending<T>(byName: Map<string, T>): [string, T][] {
  return [...byName].sort(([left], [right]) => compareCodePoints(left, right));
}
