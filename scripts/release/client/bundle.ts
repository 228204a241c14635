import { join, relative, sep } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';
import { root } from '../root.ts';

const client = join(root, 'packages', 'client');

/** Entries for every platform, and those that need Node. */
export const portableEntries = ['index', 'check', 'text', 'ai'] as const;
export const nodeEntries = ['skills'] as const;

/** Packages that a project brings itself if it uses the entry that needs them. */
export const peers: readonly string[] = ['ai'];

/**
 * Bundles the client into the folder `target`, with all that it imports: the entries, and the command line `continuity.js`. Portable
 * entries share no file with those of Node. Returns the paths of the bundled sources.
 */
export async function bundleClient(target: string): Promise<string[]> {
  const portable = await bundle(target, 'neutral', inputsOf(portableEntries));
  const node = await bundle(target, 'node', {
    ...inputsOf(nodeEntries),
    continuity: join(client, 'src', 'cli', 'main.ts'),
  });
  return [...new Set([...portable, ...node])];
}

function inputsOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, join(client, 'src', `${name}.ts`)]));
}

async function bundle(
  target: string,
  platform: 'neutral' | 'node',
  input: Record<string, string>,
): Promise<string[]> {
  const build = await rolldown({
    cwd: root,
    input,
    platform,
    external: [...peers],
    resolve: { mainFields: ['module', 'main'] },
    plugins: [urlsOfPackage],
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await build.write({
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk');
  const foreign = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !name.startsWith('node:') && !peers.includes(name))
    .filter((name) => !chunks.some(({ fileName }) => fileName === name));
  if (foreign.length > 0) throw new Error(`The client package would import ${foreign.join(', ')}.`);
  return chunks.flatMap(({ moduleIds }) => moduleIds);
}

/** Keeps `import.meta.url` the URL of the source, as it would lie beside `dist`, so that a module finds the plugins. */
const urlsOfPackage = {
  name: 'urls-of-package',
  transform: {
    filter: { id: /\.ts$/, code: /import\.meta\.url/ },
    handler(code: string, id: string): string {
      const source = JSON.stringify(`../${relative(client, id).replaceAll(sep, '/')}`);
      return code.replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`);
    },
  },
};
