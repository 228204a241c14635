import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Path of the hook program from the root of the repository. */
export const hookProgramPath = 'integrations/continuity/hooks/continuity-hook.mjs';

/** Bundles the hook program into one file that imports modules of Node alone: hosts copy it out of the repository. */
export async function bundleHookProgram(): Promise<string> {
  const input = fileURLToPath(new URL('../../packages/client/src/hook/main.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node', treeshake: true });
  const { output } = await bundle.generate({ format: 'es', minify: false, codeSplitting: false });
  await bundle.close();
  const [{ code: bundled, imports, dynamicImports }] = output;
  const foreign = [...imports, ...dynamicImports].filter((name) => !name.startsWith('node:'));
  if (foreign.length > 0) throw new Error(`The hook program imports ${foreign.join(', ')}.`);
  // Region comments have paths that depend on the folder of the build.
  const code = bundled.replace(/^\/\/#(?:end)?region.*\n/gm, '').replace(/^#!.*\n/, '');
  const head = '#!/usr/bin/env node\n// Built from packages/client/src/hook by npm run docs:generate.\n';
  return `${head}${requireBuiltins(code)}`;
}

/**
 * Requires the modules of Node instead of importing them: an import reads all exports of a module, and some of them load further modules,
 * which takes longer than all that a hook does.
 */
function requireBuiltins(code: string): string {
  const required = code.replace(
    /^import \{ (.+) \} from "(node:[^"]+)";$/gm,
    (statement, names: string, module: string) =>
      module === 'node:module'
        ? statement
        : `const { ${names.replaceAll(' as ', ': ')} } = builtin("${module}");`,
  );
  // Imports are evaluated first, wherever they stand.
  return `const builtin = createRequire(import.meta.url);\n${required}`;
}
