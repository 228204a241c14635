import { expect, test } from 'vitest';
import { chooseServers } from '../../src/tenants/server-room.ts';

const server = { capacityBytes: undefined, takesNewTenants: true, tenants: [], bytes: 100, tenantCount: 10 };

const chosenOf = (names: string[], servers: Parameters<typeof chooseServers>[1]) =>
  Object.fromEntries(chooseServers(names, servers));

test('a new tenant goes to the server that names it, else to the one with the most room', () => {
  const servers = [
    { ...server, name: 'a', bytes: 500, tenants: ['named'] },
    { ...server, name: 'b' },
    { ...server, name: 'closed', bytes: 0, takesNewTenants: false, tenants: ['kept'] },
  ];
  expect(chosenOf(['named', 'other', 'kept'], servers)).toEqual({ named: 'a', other: 'b', kept: 'closed' });
});

test('room is the capacity less the size; a server without one counts as the largest', () => {
  const servers = [
    { ...server, name: 'small', capacityBytes: 200, bytes: 10 },
    { ...server, name: 'large', capacityBytes: 1_000, bytes: 700 },
    { ...server, name: 'unsaid', bytes: 750 },
  ];
  expect(chosenOf(['one'], servers)).toEqual({ one: 'large' });
});

test('many new tenants at a time are spread', () => {
  const names = Array.from({ length: 90 }, (_, index) => `tenant-${index}`);
  const servers = [
    { ...server, name: 'a' },
    { ...server, name: 'b' },
    { ...server, name: 'c', bytes: 400 },
  ];
  const chosen = [...chooseServers(names, servers).values()];
  const countOf = (name: string) => chosen.filter((one) => one === name).length;
  expect(countOf('a')).toBeGreaterThan(30);
  expect(countOf('b')).toBeGreaterThan(30);
  expect(countOf('c')).toBeLessThan(30);
});

test('a tenant that no server takes is left out', () => {
  expect(chosenOf(['one'], [{ ...server, name: 'a', takesNewTenants: false }])).toEqual({});
});
