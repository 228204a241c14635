import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy whose connections a test can reset. */
export interface TcpProxy {
  /** URL of the server through the proxy. */
  url: string;
  /** Resets all open connections. The proxy accepts new ones. */
  reset(): void;
  stop(): Promise<void>;
}

/** Starts a proxy that forwards connections to the server of `target`. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    open.add(near);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => open.delete(near));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const reset = () => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    reset,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
