import { redactCredentials } from '@continuity/contract/credentials';
import {
  cleanText,
  type EmptyText,
  type RedactionLevel,
  toStorableText,
  versionedId,
} from '@continuity/contract/turns';
import canonicalize from 'canonicalize';
import { ServiceError } from '../errors.ts';
import { boundedScope } from '../local/folder-scope.ts';
import { fieldsOf, textOf } from '../local/json-values.ts';
import type { FactItem, FormatName } from './items.ts';
import { paragraphsOf } from './paragraphs.ts';
import { conflictOf, digestOf, type Sender, type Sent } from './send.ts';

/** Limits of an entry and of an observation, in bytes, and of a kind, in characters. */
const maxEntryBytes = 8_192;
const maxRecordBytes = 900_000;
const maxKind = 128;

/** A fact to store: the observation of a record, then its entries. */
export interface Fact {
  scope: string;
  id: string;
  kind: string;
  text: string;
  /** The record without credentials. */
  record: unknown;
}

/** Makes a fact storable. */
export function cleanFact(
  item: FactItem,
  scope: string,
  level: RedactionLevel,
): Fact | EmptyText | 'too_long' {
  const clean = cleanText(item.text, level);
  if (typeof clean === 'string') return clean;
  const record = cleanRecord(item.record, level);
  if (Buffer.byteLength(JSON.stringify(record) ?? '') > maxRecordBytes) return 'too_long';
  const kind = [...item.kind.trim()].slice(0, maxKind).join('') || 'fact';
  return { scope: boundedScope(scope), id: item.id, kind, text: clean.text, record };
}

function cleanRecord(value: unknown, level: RedactionLevel): unknown {
  if (typeof value === 'string') {
    const text = toStorableText(value);
    return level === 'off' ? text : redactCredentials(text, level).text;
  }
  if (Array.isArray(value)) return value.map((one) => cleanRecord(one, level));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [toStorableText(key), cleanRecord(one, level)]),
  );
}

/**
 * Stores the facts of another memory system (spec 70 §3.1): first an observation of the record, which is kept and cited but not
 * extracted, then entries with that evidence. A fact that was there before this run is not remembered again.
 */
export class FactSender {
  readonly #sender: Sender;
  readonly #definitions = new Map<FormatName, Promise<string>>();

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  async send(format: FormatName, fact: Fact): Promise<Sent> {
    await this.#sender.markOf(fact.scope);
    const fingerprint = await this.#definitionOf(format);
    let number = 0;
    const sent = await this.#sender.tryIds(fact.scope, fact.id, (name) => {
      number += 1;
      return this.#observe(format, fingerprint, name, fact);
    });
    if (sent.outcome === 'added') await this.#remember(format, sent.sourceId, number, fact);
    return sent;
  }

  async #observe(format: FormatName, fingerprint: string, name: string, fact: Fact): Promise<number> {
    const envelope = {
      name,
      definition_version: '1',
      materialization: 'captured' as const,
      description: null,
    };
    const { kind, text, record } = fact;
    const payload = { ...envelope, kind, text, record };
    try {
      const { position } = await this.#sender.client.submitSourceObservation(
        {
          scope_id: fact.scope,
          observation: {
            ...envelope,
            source_type: typeOf(format),
            definition_fingerprint: fingerprint,
            payload,
            projections: [],
          },
        },
        { signal: this.#sender.signal },
      );
      return position;
    } catch (error) {
      const conflict = conflictOf(error);
      if (conflict === undefined || conflict.contentDigest !== digestOf(canonicalize(payload) ?? ''))
        throw error;
      return conflict.position;
    }
  }

  /** The fingerprint of the definition of a format, registered once a run. */
  #definitionOf(format: FormatName): Promise<string> {
    const known = this.#definitions.get(format);
    if (known !== undefined) return known;
    const fields = { name: typeOf(format), version: '1', source_schema: { type: 'object' }, projections: [] };
    const fingerprint = digestOf(canonicalize(fields) ?? '');
    const registered = this.#sender.client
      .registerSourceDefinition({ manifest: { ...fields, fingerprint } }, { signal: this.#sender.signal })
      .then(() => fingerprint);
    this.#definitions.set(format, registered);
    return registered;
  }

  async #remember(
    format: FormatName,
    name: string,
    number: number,
    { scope, id, kind, text }: Fact,
  ): Promise<void> {
    const ref = { name: typeOf(format), source_id: name };
    const before = number > 1 ? await this.#readBefore(format, scope, id, number - 1) : undefined;
    const old = before === undefined ? [] : paragraphsOf(before.text, maxEntryBytes);
    for (const [index, paragraph] of paragraphsOf(text, maxEntryBytes).entries()) {
      const replaced = old[index];
      if (before !== undefined && replaced !== undefined && replaced !== paragraph) {
        await this.#revise(scope, replaced, before.ref, { kind, text: paragraph });
      }
      await this.#sender.client.rememberMemory(
        { scope_id: scope, kind, text: paragraph, source_refs: [ref] },
        { signal: this.#sender.signal },
      );
    }
  }

  /** The version of a record before this one. */
  async #readBefore(format: FormatName, scope: string, id: string, number: number) {
    const source_id = await versionedId(id, number);
    const request = { scope_id: scope, source_type: typeOf(format), source_id };
    const { content } = await this.#sender.client.getSource(request, { signal: this.#sender.signal });
    return { text: textOf(fieldsOf(content)['text']) ?? '', ref: { name: typeOf(format), source_id } };
  }

  /** Revises the entry of a record, if it is active and still has the text of the version before. */
  async #revise(
    scope: string,
    oldText: string,
    ref: { name: string; source_id: string },
    content: { kind: string; text: string },
  ): Promise<void> {
    const { client, signal } = this.#sender;
    const query = [...oldText].slice(0, 8_192).join('');
    const { hits } = await client.searchMemory(
      { scope_id: scope, query, limit: 50, mode: 'fts' },
      { signal },
    );
    for (const { citation, text } of hits) {
      if (text.normalize() !== oldText.normalize()) continue;
      const entry = await client.getMemoryEntry({ scope_id: scope, citation }, { signal });
      const isOurs = entry.source_refs.some(
        ({ name, source_id }) => name === ref.name && source_id === ref.source_id,
      );
      if (!isOurs) continue;
      await this.#reviseAt(scope, citation, content);
      return;
    }
  }

  async #reviseAt(
    scope: string,
    citation: Parameters<Sender['client']['reviseMemoryEntry']>[0]['citation'],
    content: { kind: string; text: string },
  ): Promise<void> {
    const { client, signal } = this.#sender;
    try {
      await client.reviseMemoryEntry(
        { scope_id: scope, citation, ...content, reason: 'changed in the export' },
        { signal },
      );
    } catch (error) {
      // Another writer has moved the head: the citation of this moment is in the answer, if the entry is still there.
      if (!(error instanceof ServiceError) || !error.is('revision_conflict')) throw error;
      const { current_citation: current } = error.details as { current_citation?: typeof citation | null };
      if (!current || current.entry_version_id !== citation.entry_version_id) return;
      await this.#reviseAt(scope, current, content);
    }
  }
}

function typeOf(format: FormatName): string {
  return `import-${format}`;
}
