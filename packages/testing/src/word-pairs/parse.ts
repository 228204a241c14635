/** A text, the queries that must find it and the queries that must not. */
export interface WordPair {
  text: string;
  finds: string[];
  misses: string[];
  /** Queries that find it only where a part that they share with it is rare (spec 25 Q4). */
  missesIfCommon: string[];
}

/**
 * Parses texts in this format:
 *
 *     We deployed the gateway on Friday.
 *     + deploying | deployment
 *     - employment
 *     ~ day.friday.example
 *
 * An empty line separates texts. `~` marks queries that miss the text where no word is rare. Throws if a text lacks a query that finds
 * it, or one that does not.
 */
export function parsePairs(data: string): WordPair[] {
  return data
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const [text = '', ...lines] = paragraph.split('\n');
      const [finds = [], misses = [], missesIfCommon = []] = ['+ ', '- ', '~ '].map((mark) =>
        queriesOf(mark, lines),
      );
      const pair = { text, finds, misses, missesIfCommon };
      if (finds.length === 0 || misses.length === 0) throw new Error(`No queries: ${paragraph}`);
      return pair;
    });
}

function queriesOf(mark: string, lines: string[]): string[] {
  return lines
    .filter((line) => line.startsWith(mark))
    .flatMap((line) => line.slice(mark.length).split(' | '));
}
