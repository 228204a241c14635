import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectMcp, postMcp, refusalOf } from '../support/mcp.ts';
import { startSecondGateway, startService, type TestService } from '../support/service.ts';
import { tokenOf, writeTokens } from '../support/tenants.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ environment: { AUTH_TOKENS_FILE: await writeTokens('acme') } });
});

afterAll(() => service.stop());

const authorization = `Bearer ${tokenOf('acme')}`;

describe('spec 70 scenario 27: any client reaches any gateway', () => {
  test.each(['*/*', 'application/json', 'text/event-stream', 'text/html', 'image/*', ''])(
    'with Accept: %s',
    async (accept) => {
      const headers = { authorization, accept, 'mcp-session-id': 'of-another-server' };
      const { status, json } = await postMcp(
        service.url,
        { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        { headers },
      );
      expect(status).toBe(200);
      expect(json).toMatchObject({ result: { tools: expect.arrayContaining([expect.anything()]) } });
    },
  );

  test.each<VersionNegotiationMode>(['legacy', 'auto'])(
    'a client of the revisions %s goes on while gateways are replaced between its calls',
    async (mode) => {
      let url = service.url;
      const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp?scope=moved-${mode}`), {
        requestInit: { headers: { authorization } },
        fetch: (given, init) => fetch(String(given).replace(service.url, url), init),
      });
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(transport);
      await client.callTool({
        name: 'remember_memory',
        arguments: { kind: 'fact', text: 'The first gateway.' },
      });
      const second = await startSecondGateway(service);
      url = second.url;
      await client.callTool({
        name: 'remember_memory',
        arguments: { kind: 'fact', text: 'The second gateway.' },
      });
      await second.stop();
      const third = await startSecondGateway(service);
      url = third.url;
      const { structuredContent } = await client.callTool({ name: 'list_memory_entries', arguments: {} });
      expect(structuredContent).toMatchObject({
        entries: [{ text: 'The first gateway.' }, { text: 'The second gateway.' }],
      });
      await client.close();
      await third.stop();
    },
  );
});

describe('spec 70 scenario 25: a union is one object in a schema, and the exact rules judge', () => {
  const scope_id = 'unions';
  let client: Client;
  let citation: unknown;

  beforeAll(async () => {
    client = await connectMcp(service.url, { tenant: 'acme', tools: 'all' });
    const remembered = await call('remember_memory', { kind: 'fact', text: 'Unions are one object.' });
    citation = (remembered.structuredContent as { entry: { citation: unknown } }).entry.citation;
    await call('capture_content_source', { source_id: 'said', content: 'Unions are one object.' });
    const handoff = { objective: 'Go on.', state: [{ text: 'Begun.' }], disposition: 'continuable' };
    await call('handoff_current_work', { source_id: 'first', handoff, commit: true });
  });

  afterAll(() => client.close());

  const call = (name: string, args: object) =>
    client.callTool({ name, arguments: { ...(name !== 'get_stats' && { scope_id }), ...args } });
  const revision = { family: 'handoff', artifact_id: 'handoff', revision: 1 };
  const withEvidence = (source_id: string, evidence: object) => ({
    source_id,
    handoff: {
      objective: 'Go on.',
      state: [{ text: 'Known.', basis: 'verified', evidence: [evidence] }],
      disposition: 'continuable',
    },
  });
  const source = { kind: 'source', source_ref: { name: 'content', source_id: 'said' } };

  test('each member is accepted', async () => {
    const entry = (citation as { entry_id: string }).entry_id;
    const calls: [string, object][] = [
      ['continue_handoff', { selection: 'latest' }],
      ['continue_handoff', { selection: 'exact', revision }],
      ['get_memory_entry', { citation }],
      ['get_memory_entry', { entry_id: entry }],
      ['handoff_current_work', withEvidence('of-source', source)],
      ['handoff_current_work', withEvidence('of-memory', { kind: 'memory', memory_citation: citation })],
      ['handoff_current_work', withEvidence('of-artifact', { kind: 'artifact', artifact_ref: revision })],
      ['get_stats', { selection: { mode: 'all' }, period: 'today' }],
      ['get_stats', { selection: { mode: 'exact', scope_ids: [scope_id] }, period: 'today' }],
    ];
    for (const [name, args] of calls) {
      const result = await call(name, args);
      expect(
        result.isError ?? false,
        `${name} ${JSON.stringify(args)} ${JSON.stringify(result.content)}`,
      ).toBe(false);
    }
  });

  test('a mixture of members, and a member without what it needs, is refused with its issues', async () => {
    const calls: [string, object, string][] = [
      ['continue_handoff', { selection: 'exact' }, 'revision'],
      ['get_memory_entry', { citation, entry_id: (citation as { entry_id: string }).entry_id }, ''],
      ['get_memory_entry', {}, ''],
      ['handoff_current_work', withEvidence('no-ref', { kind: 'source' }), 'handoff.state[0].evidence[0]'],
      [
        'handoff_current_work',
        withEvidence('mixed', { ...source, artifact_ref: revision }),
        'handoff.state[0].evidence[0]',
      ],
      ['get_stats', { selection: { mode: 'exact' }, period: 'today' }, 'selection'],
    ];
    for (const [name, args, path] of calls) {
      const { code, details } = refusalOf(await call(name, args));
      expect(code).toBe('invalid_request');
      const [issue] = details['issues'] as { path: string }[];
      expect(issue?.path.startsWith(path), `${name} ${issue?.path}`).toBe(true);
    }
  });
});
