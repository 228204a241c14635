import type { ClientOptions } from '../types.ts';
import { ReceiverError } from './errors.ts';

/** Limit of an answer, in bytes. */
const maxAnswerBytes = 8_388_608;

/** Address of a service that a code or credential may be sent to. */
export interface ServiceAddress {
  serverUrl: string;
  /** The user allows plain HTTP beyond this machine. */
  allowInsecureHttp: boolean;
}

/**
 * Options of a client that follows no redirect and reads at most 8 MiB of an answer. Throws `ReceiverError` for plain HTTP to another
 * machine, unless the user allows it.
 */
export function clientOptionsOf(
  { serverUrl, allowInsecureHttp }: ServiceAddress,
  credential?: string,
): ClientOptions {
  const { protocol, hostname } = new URL(serverUrl);
  if (protocol !== 'https:' && !isLoopback(hostname) && !allowInsecureHttp) {
    throw new ReceiverError(
      `${serverUrl} is plain HTTP, so others on the network could read the credential. Use https, or pass --insecure-http.`,
    );
  }
  return {
    baseUrl: serverUrl,
    // The watch backs off between syncs.
    maxAttempts: 1,
    fetch: fetchBounded,
    ...(credential !== undefined && { token: credential }),
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

async function fetchBounded(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(input, { ...init, redirect: 'manual' });
  if (body === null) return new Response(null, { status, statusText, headers });
  let length = 0;
  const bounded = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        length += chunk.byteLength;
        if (length > maxAnswerBytes)
          controller.error(new Error(`The answer has more than ${maxAnswerBytes} bytes.`));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(bounded, { status, statusText, headers });
}
