import { workerQueueNames } from '@continuity/contract';
import { z } from 'zod';

export const text = z.string().min(1);
/** Put before a text as it is: a space at its end counts. */
export const prefix = z.string().max(512).default('');
export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
export const milliseconds = whole(100, 3_600_000);
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on');
export const secretUrl = z.url();
/** May have several hosts, which `addressProblem` checks. */
export const databaseUrl = text.meta({ format: 'uri' });
export const queueList = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((name) => name.trim()))])
  .pipe(z.array(z.enum(workerQueueNames)));

export const hostList = z
  .string()
  .transform((value) => value.split(',').map((name) => name.trim().toLowerCase()))
  .pipe(
    z.array(z.string().regex(/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/, { error: 'one of them is no host name' })),
  );

export const serverList = z
  .string()
  .transform((value) => value.split(',').map((address) => address.trim()))
  .pipe(
    z.array(
      z
        .string()
        .regex(/^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/, { error: 'one of them is not host:port' })
        .transform((address) => {
          const colon = address.lastIndexOf(':');
          return {
            host: address.slice(0, colon).replace(/^\[|\]$/g, ''),
            port: Number(address.slice(colon + 1)),
          };
        }),
    ),
  );

/** Name of a database server. */
export const serverName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, { error: 'a name has 1 to 32 lower-case letters, digits and hyphens' });

export const serverNameList = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((name) => name.trim()))])
  .pipe(z.array(serverName));
