// The layers of the house (docs/architecture.md), checked by `npm run lint`. Type imports count.
const area = '^packages/shared/src/([^/]+)/';
/**
 * `handoff/generation` and `bodies` have indexes of their own: report workers load no client of a model, and threads load no database
 * driver.
 */
const areaIndex = '^packages/shared/src/[^/]+/((generation|bodies)/)?index\\.ts$';
/** Modules that load a large SDK. A process imports them by `import()` when it needs the SDK. */
const lateModules =
  '^(packages/shared/src/inference/(ask-model|embed-texts|language-model|sdk-errors)|services/api/src/mcp/(server|memory-resource|prompts|resources)|packages/kernel/src/telemetry/(sdk|export-metrics|export-traces))\\.ts$';
/** The SDKs themselves. */
const sdks =
  'node_modules/(ai|@ai-sdk/[^/]+|@modelcontextprotocol/server|@opentelemetry/(sdk|exporter)-[^/]+)/';
const kernelIndex = '^packages/kernel/src/[^/]+/index\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Extract what both modules need, or pass one of them in.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circle-of-areas',
      comment: 'Move the rule to the lower area, or pass it in as a dependency, as Families are.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^packages/shared/src/[^/]+$' },
      to: { circular: true, path: '^packages/shared/src/[^/]+$' },
    },
    {
      name: 'no-unresolved-import',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'contract-imports-zod-alone',
      comment: 'Browser bundles, the SDK and the documents load the contract.',
      severity: 'error',
      from: { path: '^packages/contract/src/' },
      to: { pathNot: ['^packages/contract/src/', 'node_modules/zod/'] },
    },
    {
      name: 'skill-packages-knows-the-format-alone',
      comment: 'The service and the tools on agent hosts share it, and threads without a database run it.',
      severity: 'error',
      from: { path: '^packages/skill-packages/src/' },
      to: {
        pathNot: ['^packages/(skill-packages|contract)/src/', 'node_modules/yaml/'],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'client-imports-contract-alone',
      comment:
        'It runs in browsers. Only `check.ts` loads the schemas; the rest takes types. The command line, its Receiver, and `skills.ts`, which packs Skills, run in Node; `ai.ts` adapts the client to the AI SDK.',
      severity: 'error',
      from: {
        path: '^packages/client/src/(generated/)?[^/]+\\.ts$',
        pathNot: '^packages/client/src/(skills|ai)\\.ts$',
      },
      to: {
        pathNot: [
          '^packages/client/src/(generated/)?[^/]+\\.ts$',
          '^packages/contract/src/',
          'node_modules/zod/',
        ],
      },
    },
    {
      name: 'console-imports-client-alone',
      comment:
        'It runs in browsers, on the public API. Of the contract it imports types, and the rule of hidden characters.',
      severity: 'error',
      from: { path: '^packages/console/src/' },
      to: {
        pathNot: [
          '^packages/console/src/',
          '^packages/client/src/index\\.ts$',
          '^packages/contract/src/notation/hidden-characters\\.ts$',
          'node_modules/(preact|@tanstack/query-core|diff)/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'console-imports-types-of-contract',
      severity: 'error',
      from: { path: '^packages/console/src/' },
      to: {
        path: '^(packages|services)/',
        pathNot: ['^packages/(console|contract)/src/', '^packages/client/src/index\\.ts$'],
      },
    },
    {
      name: 'nothing-imports-the-console',
      comment: 'The gateway serves its built files.',
      severity: 'error',
      from: { pathNot: '^packages/console/' },
      to: { path: '^packages/console/' },
    },
    {
      name: 'receiver-knows-no-command-line',
      severity: 'error',
      from: { path: '^packages/client/src/receiver/' },
      to: { path: '^packages/client/src/cli/' },
    },
    {
      name: 'kernel-knows-no-area',
      severity: 'error',
      from: { path: '^packages/kernel/src/' },
      to: { path: '^packages/', pathNot: '^packages/(kernel|contract)/src/' },
    },
    {
      name: 'kernel-by-its-indexes',
      comment:
        'The one spelling is `@continuity/kernel/<folder>`. A thread imports the folders that load no database driver.',
      severity: 'error',
      from: { path: '^(packages|services|bench)/', pathNot: '^packages/kernel/' },
      to: { path: '^packages/kernel/', pathNot: kernelIndex },
    },
    {
      name: 'search-knows-no-area',
      severity: 'error',
      from: { path: '^packages/shared/src/search/' },
      to: { path: '^packages/shared/src/', pathNot: '^packages/shared/src/search/' },
    },
    {
      name: 'areas-import-indexes',
      comment: 'Export what other areas may use from the index of the area.',
      severity: 'error',
      from: { path: area },
      to: { path: area, pathNot: ['^packages/shared/src/$1/', areaIndex] },
    },
    {
      name: 'no-area-imports-a-service',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '^(services|bench|scripts)/' },
    },
    {
      name: 'packages-and-services-import-indexes',
      severity: 'error',
      from: {
        path: '^(services|bench|scripts|packages/(testing|embedded-postgres))/(src/)?',
        pathNot: '/tests/',
      },
      to: { path: area, pathNot: areaIndex },
    },
    {
      name: 'services-do-not-import-each-other',
      comment: 'services/local starts them as processes.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/', pathNot: '^services/local/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'embedder-imports-contract-and-kernel-alone',
      comment: 'It knows no tenant and no database: it turns texts into vectors.',
      severity: 'error',
      from: { path: '^services/embedder/src/' },
      to: { path: '^packages/', pathNot: '^packages/(contract|kernel)/src/' },
    },
    {
      name: 'sdks-are-loaded-late',
      comment:
        'The SDKs of models, MCP and OpenTelemetry take 20 MB each. A process that does not use one must not load it. No process loads `ai.ts`: it is an entry for agents.',
      severity: 'error',
      from: {
        path: '^(packages|services)/[^/]+/src/',
        pathNot: [lateModules, '^packages/testing/', '^packages/client/src/ai\\.ts$'],
      },
      to: {
        path: sdks,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'late-modules-are-imported-late',
      comment: 'Import it by `import()` where the SDK is needed.',
      severity: 'error',
      from: { path: '^(packages|services)/', pathNot: lateModules },
      to: { path: lateModules, dynamic: false },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      from: {
        path: '^(packages/(contract|kernel|shared|skill-packages|embedded-postgres)|services/[^/]+)/src/',
      },
      to: { path: ['/tests/', '^packages/testing/'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6'],
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: [
        '/generated/',
        `^(?!.*${sdks}).*/dist/`,
        `^(?!.*${sdks}).*node_modules/.*\\.d\\.ts$`,
        '/tests/',
        '^services/api/src/pages/browser/',
      ],
    },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};
