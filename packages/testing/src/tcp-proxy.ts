import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy by which a test breaks or observes the connections to a server. */
export interface TcpProxy {
  /** URL of the server through the proxy. */
  url: string;
  /** Resets all open connections. The proxy accepts new ones. */
  reset(): void;
  /** Forwards new connections to another server, as a change of an address in DNS does. Open ones stay. */
  redirect(target: string): void;
  /**
   * Behaves like a network that loses all packets: forwards no bytes and no end of a connection until `resume`. Then each side
   * gets what the other one sent meanwhile, as by TCP's retransmission.
   */
  freeze(): void;
  resume(): void;
  /** Calls `act` when a client sends bytes that contain `text`, before the server gets them. Once. */
  onceSent(text: string, act: () => void): void;
  stop(): Promise<void>;
}

/** The two sockets of one connection: to the client and to the server. */
interface Pair {
  near: Socket;
  far: Socket;
}

/** Starts a proxy that forwards connections to the server of `target`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let to = new URL(target);
  const pairs = new Set<Pair>();
  const watches = new Map<string, () => void>();
  let isFrozen = false;
  // Events of the sockets that wait for `resume`.
  let held: (() => void)[] = [];
  const deliver = (event: () => void) => {
    if (isFrozen) held.push(event);
    else event();
  };
  const notify = (bytes: Buffer) => {
    for (const [text, act] of watches) {
      if (!bytes.includes(text)) continue;
      watches.delete(text);
      act();
    }
  };
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    const pair = { near, far };
    pairs.add(pair);
    near.on('data', (bytes) =>
      deliver(() => {
        // If this freezes the network, it does so behind these bytes: they still arrive.
        notify(bytes);
        far.write(bytes);
      }),
    );
    far.on('data', (bytes) => deliver(() => near.write(bytes)));
    near.on('error', () => undefined).on('close', () => deliver(() => far.destroy()));
    far
      .on('error', () => undefined)
      .on('close', () =>
        deliver(() => {
          near.destroySoon();
          pairs.delete(pair);
        }),
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    reset: () => {
      for (const { near } of pairs) near.resetAndDestroy();
    },
    redirect: (other) => {
      to = new URL(other);
    },
    freeze: () => {
      isFrozen = true;
    },
    resume: () => {
      isFrozen = false;
      const events = held;
      held = [];
      for (const event of events) event();
    },
    onceSent: (text, act) => {
      watches.set(text, act);
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const { near, far } of pairs) {
        near.destroy();
        far.destroy();
      }
      await closed;
    },
  };
}
