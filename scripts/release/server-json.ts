import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Writes `server.json`, the entry of the MCP registry, into the folder `target`: the npm package over stdio, and a service by its address. */
export function writeServerJson(target: string, version: string): string {
  const { name, mcpName } = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8'));
  const token = {
    name: 'CONTINUITY_TOKEN',
    description: 'Token of a tenant, if the service asks for one.',
    isSecret: true,
    isRequired: false,
  };
  const address = {
    name: 'CONTINUITY_URL',
    description: 'Address of the service.',
    default: 'http://127.0.0.1:8000',
    isRequired: false,
  };
  const server = {
    $schema: schema,
    name: mcpName,
    title: 'Context Continuity Service',
    description: 'Memory, prepared context and Handoffs, so that work of agents continues across sessions.',
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        environmentVariables: [address, token],
      },
    ],
    remotes: [
      {
        type: 'streamable-http',
        url: 'https://{host}/mcp',
        variables: { host: { description: 'Host name of your service.', isRequired: true } },
        headers: [
          {
            name: 'Authorization',
            description: '`Bearer` and the token of a tenant.',
            isSecret: true,
            isRequired: true,
          },
        ],
      },
    ],
  };
  writeFileSync(join(target, 'server.json'), `${JSON.stringify(server, null, 2)}\n`);
  return 'server.json';
}
