import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../root.ts';
import { writeTarArchive } from '../tar-archive.ts';
import { trackedFiles } from '../tracked-files.ts';
import { bundleClient, nodeEntries, peers, portableEntries } from './bundle.ts';
import { writeDeclarations } from './declarations.ts';
import { thirdPartyNotices } from './notices.ts';

const client = join(root, 'packages', 'client');

/**
 * Builds the npm package of the client into the folder `target`, and resolves to the name of the archive. The package needs no other one:
 * it has bundles, plain types, the command `continuity` and the plugins of agent hosts.
 *
 * @param time of all files, in seconds
 */
export async function buildClientPackage(target: string, version: string, time: number): Promise<string> {
  const name = `continuity-client-${version}.tgz`;
  const folder = mkdtempSync(join(tmpdir(), 'continuity-package-'));
  try {
    const dist = join(folder, 'dist');
    mkdirSync(dist);
    const entries = [...portableEntries, ...nodeEntries];
    const [modules] = await Promise.all([bundleClient(dist), writeDeclarations(dist, entries, peers)]);
    chmodSync(join(dist, 'continuity.js'), 0o755);
    for (const path of trackedFiles('integrations')) {
      const copy = join(folder, path.replace(/^integrations/, 'plugins'));
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(join(root, path), copy);
    }
    cpSync(join(client, 'README.md'), join(folder, 'README.md'));
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(modules));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(entries), null, 2)}\n`);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    await writeTarArchive(join(target, name), { folder, files, prefix: 'package', time });
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The manifest of the released package: that of the sources without what only the workspace needs. */
function manifestOf(entries: readonly string[]): object {
  const { peerDependencies, peerDependenciesMeta, ...manifest } = JSON.parse(
    readFileSync(join(client, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const { name, version, description, type, license, engines, sideEffects, mcpName } = manifest;
  const exported = entries.map((entry) => [
    entry === 'index' ? '.' : `./${entry}`,
    { types: `./dist/${entry}.d.ts`, default: `./dist/${entry}.js` },
  ]);
  return {
    ...{ name, version, description, type, license, engines, sideEffects, mcpName },
    bin: { continuity: './dist/continuity.js' },
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    ...{ peerDependencies, peerDependenciesMeta },
  };
}
