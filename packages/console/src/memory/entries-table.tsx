import type { AnswerOf } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { rowKeys } from '../keys/use-rows.ts';
import { Stored } from '../text/stored-text.tsx';
import { KindName } from '../ui/enum-value.tsx';
import { Time, timeOfId } from '../ui/time.tsx';
import type { MemoryEntry } from './types.ts';

type Hit = AnswerOf<'searchMemory'>['hits'][number];

/** A row of a list, or of a search. */
export type EntryRow = { entry: MemoryEntry } | { hit: Hit };

const shownCharacters = 300;

/** Whether the statement holds no longer. */
const hasEnded = ({ valid_until }: MemoryEntry): boolean =>
  valid_until !== undefined && Date.parse(valid_until) <= Date.now();

interface TableProps {
  rows: EntryRow[];
  chosen: string | null;
  addressOf: (entryId: string, artifactId: string) => string;
}

/** The table "Entries". */
export function EntriesTable({ rows, chosen, addressOf }: TableProps) {
  if (rows.length === 0) return null;
  const idOf = (row: EntryRow) => ('hit' in row ? row.hit : row.entry).citation.entry_id;
  const at = rows.findIndex((row) => idOf(row) === chosen);
  return (
    <table class="cards" aria-label={t.entries}>
      <thead>
        <tr>
          <th scope="col">{t.text}</th>
          <th scope="col">{t.kind}</th>
          <th scope="col">{t.age}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const { citation, text } = 'hit' in row ? row.hit : row.entry;
          const isChosen = citation.entry_id === chosen;
          const created = timeOfId(citation.entry_id);
          return (
            <tr key={citation.entry_id} class={isChosen ? 'chosen' : ''}>
              <td>
                <a
                  href={addressOf(citation.entry_id, citation.memory_ref.artifact_id)}
                  {...(isChosen && { 'aria-current': 'true' as const })}
                  {...rowKeys(index, at)}
                >
                  <Stored
                    text={text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text}
                  />
                </a>
              </td>
              <td data-label={t.kind}>
                {'hit' in row ? (
                  <>
                    {t.score(row.hit.score.toFixed(2))} ·{' '}
                    {row.hit.matched_by.map((channel) => t.channels[channel]).join(', ')}
                  </>
                ) : (
                  <>
                    <KindName kind={row.entry.kind} /> · {t.version(row.entry.version)}
                    {row.entry.source_refs.length > 0 && ` · ${t.sourcesCount(row.entry.source_refs.length)}`}
                    {row.entry.state === 'inactive' && <em> · {t.retired}</em>}
                    {hasEnded(row.entry) && <em> · {t.ended}</em>}
                  </>
                )}
              </td>
              <td data-label={t.age} class="short">
                {created !== null && <Time value={created} />}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
