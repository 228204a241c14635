/** A text, the queries that have to find it and those that must not. */
export interface WordPair {
  text: string;
  finds: string[];
  misses: string[];
}

/**
 * Reads texts of the form
 *
 *     We deployed the gateway on Friday.
 *     + deploying | deployment
 *     - employment
 *
 * with an empty line between them. Throws where a text has no query of one kind.
 */
export function parsePairs(data: string): WordPair[] {
  return data
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const [text = '', ...lines] = paragraph.split('\n');
      const pair = { text, finds: queriesOf('+ ', lines), misses: queriesOf('- ', lines) };
      if (pair.finds.length === 0 || pair.misses.length === 0) throw new Error(`No queries: ${paragraph}`);
      return pair;
    });
}

function queriesOf(mark: string, lines: string[]): string[] {
  return lines
    .filter((line) => line.startsWith(mark))
    .flatMap((line) => line.slice(mark.length).split(' | '));
}
