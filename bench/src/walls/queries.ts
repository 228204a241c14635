import type { HttpRequest } from '../load/http-load.ts';
import { searchRequest } from '../load/requests.ts';
import { attackWith, commonBars, type Wall } from './wall.ts';

/** A ligature that normalization makes 18 characters long. */
const ligature = '\u{FDFA}';

/** Longest queries: one that normalization lengthens over the limit, one that it lengthens up to the limit, and plain characters. */
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
