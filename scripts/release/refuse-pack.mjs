// `prepack` of `packages/client`: its sources are no package that can be installed.
process.stderr.write(
  'This folder has the sources of the client. Run npm run release in the root of the repository: dist/release/ then has the package.\n',
);
process.exitCode = 1;
