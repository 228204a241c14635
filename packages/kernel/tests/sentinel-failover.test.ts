import { type AddressInfo, createServer, type Socket } from 'node:net';
import { hasRedis, startRedis, waitUntil } from '@continuity/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { openRedis } from '../src/queue/redis.ts';

const channel = '+switch-master';

const texts = (...parts: string[]) => parts.map((part) => `$${part.length}\r\n${part}\r\n`).join('');

/** Answers of a Sentinel by version 3 of the protocol. */
const greeting = `%1\r\n${texts('proto')}:3\r\n`;
const subscribed = `>3\r\n${texts('subscribe', channel)}:1\r\n`;
const announcement = `>3\r\n${texts('message', channel, 'mymaster')}`;
const noOtherSentinels = '*0\r\n';
const masterAt = (port: number) => `*2\r\n${texts('127.0.0.1', String(port))}`;

/** A Sentinel that names one master, as late as a test wants, and announces failovers when a test wants. */
async function startSentinel(masterPort: number) {
  const subscribers = new Set<Socket>();
  const held: (() => void)[] = [];
  const sentinel = { subscribers, held, isHolding: false, announce, address: { host: '127.0.0.1', port: 0 } };
  function announce() {
    for (const subscriber of subscribers) subscriber.write(announcement);
  }
  function answer(socket: Socket, command: string) {
    const nameMaster = () => socket.write(masterAt(masterPort));
    if (command.includes('get-master-addr-by-name')) {
      if (sentinel.isHolding) held.push(nameMaster);
      else nameMaster();
    } else if (command.includes('subscribe')) {
      subscribers.add(socket);
      socket.write(subscribed);
    } else if (command.includes('hello')) socket.write(greeting);
    else socket.write(noOtherSentinels);
  }
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('close', () => subscribers.delete(socket));
    socket.on('data', (bytes) => {
      for (const command of bytes.toString().split(/(?=\*\d+\r\n)/)) answer(socket, command.toLowerCase());
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  sentinel.address.port = (server.address() as AddressInfo).port;
  return sentinel;
}

test.skipIf(!hasRedis())(
  'a client that looks for the master while a failover is announced finds it',
  async () => {
    const master = await startRedis();
    onTestFinished(() => master.stop());
    const sentinel = await startSentinel(master.port);
    const client = openRedis(
      'redis://mymaster',
      { sentinels: [sentinel.address] },
      {
        enableOfflineQueue: true,
        maxRetriesPerRequest: null,
        retryStrategy: () => 20,
      },
    );
    client.on('error', () => undefined);
    onTestFinished(() => client.disconnect());
    const id = Number(await client.call('CLIENT', 'ID'));
    await waitUntil(() => sentinel.subscribers.size === 1);

    sentinel.isHolding = true;
    const operator = new Redis(master.url);
    onTestFinished(() => operator.disconnect());
    await operator.call('CLIENT', 'KILL', 'ID', id);
    await waitUntil(() => sentinel.held.length === 1);
    sentinel.announce();
    sentinel.isHolding = false;
    for (const nameMaster of sentinel.held) nameMaster();
    expect(await client.ping()).toBe('PONG');
  },
);
