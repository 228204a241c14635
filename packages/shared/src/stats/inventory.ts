import { compareCodePoints, type Sql } from '@continuity/shared/kernel';
import { type ByScope, byScope, type Sum } from './by-scope.ts';
import { noCandidates } from './candidates.ts';
import { type Counting, counterQuery, type Of, readCounters } from './counter-query.ts';
import { type KindCounter, readKinds } from './kinds.ts';
import { type Inventory, maxListed } from './shapes.ts';

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

/** What Scopes hold, as JSON (spec 20 T3, T4). Throws 422 for Scopes with more kinds than one answer goes through. */
export async function readInventory(sql: Sql, counting: Counting): Promise<ByScope<string>> {
  const [sources, artifacts, entries, kinds] = await Promise.all([
    readCounters<SourceCounter>(sql, selectSources, counting).then((all) =>
      byScope(all, () => new SourceSum()),
    ),
    readCounters<ArtifactCounter>(sql, selectArtifacts, counting).then((all) =>
      byScope(all, () => new ArtifactSum()),
    ),
    readCounters<EntryCounter>(sql, selectEntries, counting).then((all) =>
      byScope(all, () => new EntrySum()),
    ),
    readKinds(sql, counting).then((all) => byScope(all, () => new KindSum())),
  ]);
  const write = (pick: <T>(part: ByScope<T>) => T) =>
    JSON.stringify({
      sources: pick(sources),
      artifacts: pick(artifacts),
      candidates: noCandidates,
      memory: { entries: { ...pick(entries), by_kind: pick(kinds) } },
    } satisfies Inventory);
  return { whole: write((part) => part.whole), of: (scopeKey) => write((part) => part.of(scopeKey)) };
}

class SourceSum implements Sum<SourceCounter, Inventory['sources']> {
  #total = 0;
  #pending = 0;

  add(counter: SourceCounter): void {
    this.#total += counter[1];
    this.#pending += counter[2];
  }

  end(): Inventory['sources'] {
    const memory_processed = this.#total - this.#pending;
    return { total: this.#total, memory_processed, memory_pending: this.#pending };
  }
}

class ArtifactSum implements Sum<ArtifactCounter, Inventory['artifacts']> {
  readonly #families = new Map<string, number>();

  add([, family, heads]: ArtifactCounter): void {
    this.#families.set(family, (this.#families.get(family) ?? 0) + heads);
  }

  end(): Inventory['artifacts'] {
    const by_family = ascending(this.#families).map(([family, total]) => ({ family, total }));
    return { total: by_family.reduce((sum, { total }) => sum + total, 0), by_family };
  }
}

type Entries = Record<'total' | 'active' | 'inactive', number>;

class EntrySum implements Sum<EntryCounter, Entries> {
  readonly #entries = { total: 0, active: 0, inactive: 0 };

  add([, active, inactive]: EntryCounter): void {
    this.#entries.total += active + inactive;
    this.#entries.active += active;
    this.#entries.inactive += inactive;
  }

  end(): Entries {
    return this.#entries;
  }
}

type Kinds = Inventory['memory']['entries']['by_kind'];

class KindSum implements Sum<KindCounter, Kinds> {
  readonly #kinds = new Map<string, EntrySum>();

  add([of, kind, active, inactive]: KindCounter): void {
    const sum = this.#kinds.get(kind) ?? new EntrySum();
    this.#kinds.set(kind, sum);
    sum.add([of, active, inactive]);
  }

  end(): Kinds {
    return ascending(this.#kinds)
      .slice(0, maxListed)
      .map(([kind, sum]) => ({ kind, ...sum.end() }));
  }
}

/** By the UTF-8 bytes of the names. */
function ascending<T>(byName: Map<string, T>): [string, T][] {
  return [...byName].sort(([left], [right]) => compareCodePoints(left, right));
}
