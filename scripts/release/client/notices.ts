import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../root.ts';

/**
 * The licenses of the packages that the given modules are of, besides those of this repository: their texts, where a package has one.
 * Throws for a package that names no license, because it may not be passed on.
 */
export function thirdPartyNotices(modules: readonly string[]): string {
  const folders = new Set(modules.filter((path) => path.includes('node_modules')).map(packageFolder));
  const notices = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)/i.test(one));
    if (typeof license !== 'string') throw new Error(`${name} ${version} names no license.`);
    const text =
      file === undefined
        ? 'The package has no text of its license.'
        : readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `This package contains code of the packages below, under their licenses.\n\n${notices.toSorted().join('\n----\n\n')}`;
}

/** The folder of the package of a module: the nearest one with a name and a version. */
function packageFolder(module: string): string {
  for (
    let folder = dirname(module);
    folder !== root && folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && 'version' in JSON.parse(readFileSync(manifest, 'utf8'))) return folder;
  }
  throw new Error(`${module} is of no package.`);
}
