import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Path of the bundle from the root of the repository. */
export const hookCredentialsPath = 'integrations/continuity/hooks/credentials.mjs';

/** Bundles the credential rules of the contract for the hook, which has no dependencies. */
export async function bundleHookCredentials(): Promise<string> {
  const input = fileURLToPath(new URL('../../packages/contract/src/credentials/index.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node' });
  const { output } = await bundle.generate({ format: 'es' });
  await bundle.close();
  // Region comments have paths that depend on the folder of the build.
  const code = output[0].code.replace(/^\/\/#(?:end)?region.*\n/gm, '');
  return `// Generated from packages/contract/src/credentials by npm run docs:generate.\n${code}`;
}
