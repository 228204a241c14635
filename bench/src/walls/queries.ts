import type { HttpRequest } from '../load/http-load.ts';
import { searchRequest } from '../load/requests.ts';
import { attackWith, commonBars, type Wall } from './wall.ts';

/** A ligature that normalization makes 18 characters long. */
const ligature = '\u{FDFA}';

/** Queries that normalization lengthens over the limit and up to the limit, and a long one of plain characters. */
const queries = [ligature.repeat(8_000), ligature.repeat(450), '記憶検索'.repeat(2_000)];

/** Four connections that search with the most expensive queries. */
export function longQueries(url: string, token: string, light: HttpRequest[]): Wall {
  return {
    name: 'queries',
    light,
    bars: commonBars,
    attack: (ms) => {
      const requests = queries.map((query) => ({ ...searchRequest('heavy', query), token }));
      return attackWith(url, requests, 4, ms);
    },
  };
}
