import { Store } from '../ui/store.ts';

/** Since when the service does not answer, or says that it is not ready; null while it does. */
export const downSince = new Store<Date | null>(null);

/** Errors of the service by which it says that it cannot answer. Other ones with 503, such as a missing worker, concern one operation. */
const unready: readonly unknown[] = ['runtime_not_ready', 'database_unavailable'];

/** Takes a call without an answer as the beginning of an outage. */
export function reportNoAnswer(): void {
  if (downSince.value === null) downSince.set(new Date());
}

/** Takes a successful answer of the API as the end of an outage, and a gateway error as its beginning. */
export async function reportAnswer(response: Response): Promise<void> {
  const { status, url } = response;
  if (status < 400) downSince.set(null);
  else if ([502, 503, 504].includes(status) && !url.includes('/health/') && (await isUnready(response)))
    reportNoAnswer();
}

/** Whether an answer is that of a proxy without a gateway, or of a gateway that cannot work. */
async function isUnready(response: Response): Promise<boolean> {
  const body = await response
    .clone()
    .json()
    .catch(() => null);
  const code: unknown = body?.error?.code;
  return code === undefined || unready.includes(code);
}
