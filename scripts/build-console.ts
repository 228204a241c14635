// Bundles the web console for browsers: scripts, styles, icon and page, each with a Brotli and a gzip form beside it, so that no request
// compresses anything.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Plugin, rolldown } from 'rolldown';

/** Gives the module of a Web Worker a file in the build. */
const emitWorkers: Plugin = {
  name: 'emit-workers',
  transform: {
    filter: { id: /\.tsx?$/, code: /new URL\('\.\/[\w-]+-worker\.ts'/ },
    handler(code, id) {
      return code.replace(/new URL\('(\.\/[\w-]+-worker\.ts)', import\.meta\.url\)/g, (_, path) => {
        const worker = this.emitFile({ type: 'chunk', id: resolve(dirname(id), path) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${worker})`;
      });
    },
  },
};

/**
 * Writes the console of the checkout at `root` into `folder`. Returns the names of its files: the page last, because it names the
 * others.
 */
export async function buildConsole(root: string, folder: string): Promise<string[]> {
  const source = join(root, 'packages/console/src');
  const bundle = await rolldown({
    cwd: root,
    input: { console: join(source, 'main.tsx') },
    platform: 'browser',
    plugins: [emitWorkers],
    tsconfig: join(root, 'packages/console/tsconfig.json'),
    transform: { target: 'es2024' },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: false },
  });
  const scripts = output.map(({ fileName }) => fileName);
  const main = output.find((file) => file.type === 'chunk' && file.isEntry && file.name === 'console');
  if (main?.type !== 'chunk') throw new Error('The console has no entry.');
  const styles = readFileSync(join(source, 'console.css'));
  const stylesName = `console-${createHash('sha256').update(styles).digest('base64url').slice(0, 8)}.css`;
  const page = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('console.css', stylesName)
    .replace('main.tsx', main.fileName)
    .replace(
      '<!-- preload -->',
      main.imports.map((name) => `<link rel="modulepreload" href="${name}">`).join('\n'),
    );
  writeFileSync(join(folder, stylesName), styles);
  writeFileSync(join(folder, 'icon.svg'), readFileSync(join(source, 'icon.svg')));
  writeFileSync(join(folder, 'index.html'), page);
  return [...scripts, stylesName, 'icon.svg', 'index.html'].flatMap((name) => compress(folder, name));
}

/** Writes the compressed forms of a file, and returns the names of all three. */
function compress(folder: string, name: string): string[] {
  const bytes = readFileSync(join(folder, name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  return [`${name}.br`, `${name}.gz`, name];
}
