import { type ToolName, toolTable } from '@continuity/contract/mcp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { frameworkPythons, runNode, runPython } from '../support/frameworks.ts';
import { connectMcp } from '../support/mcp.ts';
import { startService, type TestService } from '../support/service.ts';
import { writeTokens } from '../support/tenants.ts';

/** A JSON Schema as a framework gives it to its model. */
interface Schema {
  type?: string | string[];
  anyOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
}

type Converted = Record<string, Record<string, Schema>>;

const pythons = await frameworkPythons();
const names = Object.keys(toolTable) as ToolName[];

/** A Source that each Scope of the test has. */
const source = { source_id: 'evidence', content: 'Deploy on Tuesdays.' };
const evidence = { source_refs: [{ name: 'content', source_id: source.source_id }], artifact_refs: [] };

const queries = ['?tools=all', '?tools=all&scope=project:shop'];

let open: TestService;
let guarded: TestService;
/** What the frameworks for Python make of the tools, by query. To import them takes longer than to convert. */
let byPython: Converted[];

beforeAll(async () => {
  [open, guarded] = await Promise.all([
    startService(),
    startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') } }),
  ]);
  if (pythons === undefined) return;
  const urls = queries.map((query) => `${open.url}/mcp${query}`);
  const [others, llamaIndex] = (await Promise.all([
    runPython(pythons.mcp1, 'convert.py', ...urls),
    runPython(pythons.mcp2, 'convert_llamaindex.py', ...urls),
  ])) as [Converted[], Converted[]];
  byPython = others.map((converted, index) => ({ ...converted, ...llamaIndex[index] }));
});

afterAll(() => Promise.all([open.stop(), guarded.stop()]));

describe.each(queries)('spec 70 scenario 24: /mcp%s', (query) => {
  test('SDKs for TypeScript convert every tool, and what they ask for is accepted', async () => {
    await expectAccepted((await runNode('convert.mjs', `${open.url}/mcp${query}`)) as Converted, query);
  });

  test.skipIf(pythons === undefined)(
    'frameworks for Python convert every tool, and what they ask for is accepted',
    async () => {
      const converted = byPython[queries.indexOf(query)] ?? {};
      expect(Object.keys(converted)).toHaveLength(6);
      await expectAccepted(converted, query);
    },
  );
});

/** Calls every tool as each converted schema demands: with all that it requires, and null for the rest. */
async function expectAccepted(converted: Converted, query: string): Promise<void> {
  const scope = new URLSearchParams(query).get('scope');
  const client = await connectMcp(guarded.url, {
    tenant: 'acme',
    tools: 'all',
    ...(scope !== null && { scope }),
  });
  const arguments_ = { scope_id: scope ?? 'text', ...source };
  await client.callTool({ name: 'capture_content_source', arguments: arguments_ });
  const { tools: originals } = await client.listTools();
  const refused: string[] = [];
  for (const [library, tools] of Object.entries(converted)) {
    expect(Object.keys(tools).toSorted(), library).toEqual(names.toSorted());
    for (const { name, inputSchema } of originals) {
      const schema = tools[name] ?? {};
      const args = valueFor(schema, { root: schema, original: inputSchema as Schema });
      const call = { name, arguments: { ...(args as object), ...needed[name as ToolName] } };
      const { isError, content } = await client.callTool(call);
      const text = (content as { text?: string }[])[0]?.text ?? '';
      // What no schema says, such as that a Scope exists, may be refused.
      const { code } = isError === true ? JSON.parse(text).error : { code: '' };
      if (code === 'invalid_request') refused.push(`${library} ${name}: ${text}`);
    }
  }
  await client.close();
  expect(refused).toEqual([]);
}

/** What a schema does not say: rules between fields, and formats. */
const needed: Partial<Record<ToolName, Record<string, unknown>>> = {
  get_memory_entry: { short_id: 'a' },
  get_experience: { short_id: 'a' },
  acknowledge_handoff: {
    selection: 'exact',
    revision: { family: 'handoff', artifact_id: 'handoff', revision: 1 },
    status: 'declined',
    message: 'no',
  },
  continue_handoff: { selection: 'latest' },
  get_source: { source_type: 'content' },
  propose_experience: evidence,
  generate_experience: evidence,
  propose_skill: evidence,
  generate_skill: { ...evidence, origin: 'source' },
  get_handoff_report: { selection: { mode: 'exact', scope_ids: ['text'] }, project_id: null },
  revise_artifact_candidate: {
    ...evidence,
    proposal: { situation: 's', action: 'a', outcome: 'o', lesson: 'l', name: null, package: null },
  },
};

/** A value for a schema: what must be there, and null for the rest where the converted schema allows null. */
function valueFor(given: Schema, { root, original }: { root: Schema; original: Schema }): unknown {
  const schema = given.$ref === undefined ? given : (root.$defs?.[given.$ref.replace('#/$defs/', '')] ?? {});
  const plain = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  if (original.enum !== undefined) return original.enum[0];
  if (original.type === 'object')
    return Object.fromEntries(
      Object.entries(original.properties ?? {}).flatMap(([name, part]) => {
        const property = plain.properties?.[name] ?? {};
        if (original.required?.includes(name) === true)
          return [[name, named(name, valueFor(property, { root, original: part }))]];
        const isLeftOut = plain.required?.includes(name) === true && !canBeNull(property);
        return isLeftOut ? [] : [[name, null]];
      }),
    );
  if (original.type === 'array')
    return [valueFor(plain.items ?? {}, { root, original: original.items ?? {} })];
  if (original.type === 'string') return 'text';
  return original.type === 'boolean' ? true : 1;
}

function canBeNull({ type, anyOf = [] }: Schema): boolean {
  return anyOf.some((one) => one.type === 'null') || (Array.isArray(type) && type.includes('null'));
}

/** Formats that a description tells. */
function named(name: string, value: unknown): unknown {
  return name === 'package_digest' ? `sha256:${'0'.repeat(64)}` : value;
}
