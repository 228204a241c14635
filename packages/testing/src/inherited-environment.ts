const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'NODE_COMPILE_CACHE'];

/** Variables of the operating system and of Node that a started program gets. It gets no setting of this process. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}
