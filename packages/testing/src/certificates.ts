import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from './temporary.ts';

const execute = promisify(execFile);

/** Paths of PEM files. */
export interface Certificates {
  directory: string;
  ca: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
}

/** Makes an authority, a certificate for `localhost` and 127.0.0.1, and one for the client `user`, by OpenSSL. They last a day. */
export async function makeCertificates(user: string): Promise<Certificates> {
  const directory = await temporaryDirectory('certificates');
  // Servers run as other users.
  await chmod(directory, 0o755);
  const path = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => execute('openssl', args, { cwd: directory });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  await openssl(
    'req',
    '-x509',
    ...newKey,
    '-keyout',
    'ca.key',
    '-out',
    'ca.crt',
    '-subj',
    '/CN=test authority',
  );
  await writeFile(path('server.ext'), 'subjectAltName = DNS:localhost, IP:127.0.0.1\n');
  await writeFile(path('client.ext'), 'extendedKeyUsage = clientAuth\n');
  for (const [name, subject] of Object.entries({ server: '/CN=localhost', client: `/CN=${user}` })) {
    await openssl(
      'req',
      ...newKey.slice(0, -2),
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      subject,
    );
    const signed = [
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '1',
      '-extfile',
      `${name}.ext`,
    ];
    await openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.crt`, ...signed);
  }
  const pair = (name: string) => ({ cert: path(`${name}.crt`), key: path(`${name}.key`) });
  return { directory, ca: path('ca.crt'), server: pair('server'), client: pair('client') };
}
