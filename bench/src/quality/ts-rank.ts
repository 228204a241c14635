import pg from 'pg';
import type { SetEntry } from '../search-set/shapes.ts';

const hits = 10;

/** Full text search as PostgreSQL brings it, over texts of the same database. */
export interface TsRank {
  /** Any word of the question is enough. */
  any(question: string): Promise<string[]>;
  /** Every word of the question has to be there. */
  all(question: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Entries with any, or all, of a question's lexemes, by `ts_rank`: configuration `english`, its stop words and its stemmer. */
export async function openTsRank(databaseUrl: string, entries: readonly SetEntry[]): Promise<TsRank> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TEMPORARY TABLE plain_texts (id text PRIMARY KEY, words tsvector NOT NULL)');
  await client.query(
    `INSERT INTO plain_texts SELECT id, to_tsvector('english', body) FROM unnest($1::text[], $2::text[]) AS t(id, body)`,
    [entries.map(({ id }) => id), entries.map(({ text }) => text)],
  );
  const search = async (query: string, question: string) => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT t.id FROM plain_texts t, (SELECT ${query} AS words) AS q
       WHERE t.words @@ q.words ORDER BY ts_rank(t.words, q.words) DESC, t.id LIMIT ${hits}`,
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
