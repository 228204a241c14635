// Adds one line to each of the two lists of Families while a process loads them: `node --import register.ts …`.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../../', import.meta.url);

const lists = [
  {
    url: new URL('packages/contract/src/families/catalog.ts', root).href,
    entry: 'checklist: checklistFamily,',
    from: new URL('./contract.ts', import.meta.url).href,
  },
  {
    url: new URL('packages/shared/src/families/index.ts', root).href,
    entry: 'checklist: checklistRecord,',
    from: new URL('./checklist.ts', import.meta.url).href,
  },
];

registerHooks({
  load: (url, context, next) => {
    const list = lists.find((one) => one.url === url);
    if (list === undefined) return next(url, context);
    const { entry, from } = list;
    const imported = entry.replace(/^.*: /, '').replace(',', '');
    const [before, after, ...more] = readFileSync(fileURLToPath(url), 'utf8').split('handoff: ');
    if (before === undefined || after === undefined || more.length > 0) throw new Error(`${url} is no list.`);
    const source = `import { ${imported} } from '${from}';\n${before}${entry} handoff: ${after}`;
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
