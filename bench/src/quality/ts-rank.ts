import pg from 'pg';
import type { SetEntry } from '../search-set/shapes.ts';

const hitLimit = 10;

/** The full text search of PostgreSQL over the texts of the set. */
interface TsRank {
  /** Matches entries with any lexeme of the question. */
  any(question: string): Promise<string[]>;
  /** Matches entries with all lexemes of the question. */
  all(question: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Loads the texts into a temporary table. Ranks by `ts_rank` with the configuration `english`. */
export async function openTsRank(databaseUrl: string, entries: readonly SetEntry[]): Promise<TsRank> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE set_texts (id text PRIMARY KEY, words tsvector NOT NULL)');
  await client.query(
    `INSERT INTO set_texts SELECT id, to_tsvector('english', body) FROM unnest($1::text[], $2::text[]) AS t(id, body)`,
    [entries.map(({ id }) => id), entries.map(({ text }) => text)],
  );
  const search = async (query: string, question: string) => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT t.id FROM set_texts t, (SELECT ${query} AS words) AS q
       WHERE t.words @@ q.words ORDER BY ts_rank(t.words, q.words) DESC, t.id LIMIT ${hitLimit}`,
      [question],
    );
    return rows.map(({ id }) => id);
  };
  const all = `plainto_tsquery('english', $1)`;
  return {
    any: (question) => search(`replace(${all}::text, ' & ', ' | ')::tsquery`, question),
    all: (question) => search(all, question),
    close: () => client.end(),
  };
}
