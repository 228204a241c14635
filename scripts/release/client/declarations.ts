import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { root } from '../root.ts';
import { plainContractTypes } from './plain-types.ts';

const configuration = fileURLToPath(new URL('tsconfig.json', import.meta.url));

/** Modules of the workspace whose declarations need no `zod`. All others of the contract are in the plain types. */
const ownModules: Record<string, string> = {
  '@continuity/contract/storable-text': 'contract/src/turns/storable-text',
  '@continuity/contract/skill-format': 'contract/src/skills/format',
  '@continuity/skill-packages/pack': 'skill-packages/src/pack/index',
};
const plainTypes = 'client/src/contract-types';

/** Every `from '…'` and `import('…')` of a declaration file. */
const specifiers = /(\bfrom |\bimport\()'([^']+)'/g;

/**
 * Writes the declarations of the entries, and of all that they refer to, into the folder `target`: `types/` has the tree, and an entry
 * is `<name>.d.ts`. Throws if one needs a package that the client does not name.
 *
 * @param peers packages that a declaration may import
 */
export async function writeDeclarations(
  target: string,
  entries: readonly string[],
  peers: readonly string[],
): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'continuity-types-'));
  try {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    await promisify(execFile)(process.execPath, [compiler, '-p', configuration, '--outDir', emitted]);
    writeFileSync(join(emitted, `${plainTypes}.d.ts`), plainContractTypes());
    copyTree(emitted, join(target, 'types'), entries, peers);
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
  for (const name of entries)
    writeFileSync(join(target, `${name}.d.ts`), `export * from './types/client/src/${name}.js';\n`);
}

/** Copies the declarations that can be reached from the entries, with references that need no workspace. */
function copyTree(from: string, to: string, entries: readonly string[], peers: readonly string[]): void {
  const waiting = entries.map((name) => `client/src/${name}`);
  for (const seen = new Set(waiting); waiting.length > 0; ) {
    const module = waiting.pop() as string;
    const text = readFileSync(join(from, `${module}.d.ts`), 'utf8').replaceAll(
      specifiers,
      (whole, before: string, specifier: string) => {
        if (peers.includes(specifier)) return whole;
        const found = moduleOf(specifier, module);
        if (!seen.has(found)) waiting.push(found);
        seen.add(found);
        const path = relative(dirname(module), found).replaceAll('\\', '/');
        return `${before}'${path.startsWith('.') ? path : `./${path}`}.js'`;
      },
    );
    mkdirSync(dirname(join(to, module)), { recursive: true });
    writeFileSync(join(to, `${module}.d.ts`), text);
  }
}

/** The module below `packages/`, without its suffix. */
function moduleOf(specifier: string, importer: string): string {
  if (specifier.startsWith('.'))
    return relative(resolve('/'), resolve('/', dirname(importer), specifier)).replace(/\.[jt]s$/, '');
  const own = ownModules[specifier];
  if (own !== undefined) return own;
  if (specifier.startsWith('@continuity/contract')) return plainTypes;
  throw new Error(`The types of ${importer} need ${specifier}, which the client package does not have.`);
}
