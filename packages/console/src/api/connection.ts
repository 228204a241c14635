import { Store } from '../ui/store.ts';

/** Since when the service does not answer, or says that it is not ready; null while it does. */
export const downSince = new Store<Date | null>(null);

const unready: readonly number[] = [502, 503, 504];

/** Takes a call without an answer as the beginning of an outage. */
export function reportNoAnswer(): void {
  if (downSince.value === null) downSince.set(new Date());
}

/** Takes a successful answer of the API as the end of an outage, and a gateway error as its beginning. */
export function reportAnswer({ status, url }: Pick<Response, 'status' | 'url'>): void {
  const isHealth = url.includes('/health/');
  if (unready.includes(status) && !isHealth) reportNoAnswer();
  else if (status < 400) downSince.set(null);
}
