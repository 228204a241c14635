/** A text, the queries that must find it and the queries that must not. */
export interface WordPair {
  text: string;
  finds: string[];
  misses: string[];
}

/**
 * Parses texts in this format:
 *
 *     We deployed the gateway on Friday.
 *     + deploying | deployment
 *     - employment
 *
 * An empty line separates texts. A text without a query that finds it is an error.
 */
export function parsePairs(data: string): WordPair[] {
  return data
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const [text = '', ...lines] = paragraph.split('\n');
      const pair = { text, finds: queriesOf('+ ', lines), misses: queriesOf('- ', lines) };
      if (pair.finds.length === 0) throw new Error(`No queries: ${paragraph}`);
      return pair;
    });
}

function queriesOf(mark: string, lines: string[]): string[] {
  return lines
    .filter((line) => line.startsWith(mark))
    .flatMap((line) => line.slice(mark.length).split(' | '));
}
