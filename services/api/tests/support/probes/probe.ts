import type { operationTable } from '@continuity/contract/operations';
import type { OperationId } from '@continuity/testing';
import type { Names } from '../planted.ts';

/** Requests that use some names. */
export interface Probe {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export const post = (path: string, body?: unknown, headers?: Record<string, string>): Probe => ({
  method: 'POST',
  path,
  body,
  ...(headers && { headers }),
});
export const get = (path: string, headers?: Record<string, string>): Probe => ({
  method: 'GET',
  path,
  ...(headers && { headers }),
});

export const put = (path: string, body: unknown): Probe => ({ method: 'PUT', path, body });

type Table = typeof operationTable;

/** An operation that needs the token of a tenant. */
export type Walled = {
  [Id in OperationId]: Table[Id]['auth'] extends 'bearer' ? Id : never;
}[OperationId];

/** For each operation, requests with every use of the names. */
export type Probes = Record<Walled, (names: Names) => Probe[]>;
