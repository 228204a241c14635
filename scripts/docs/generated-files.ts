import { operations } from '../../packages/contract/src/operations/index.ts';
import { describeApi } from '../../services/api/src/openapi/index.ts';
import { agentTools } from './agent-tools.ts';
import { chartReadme, chartSettings } from './chart.ts';
import { clientOperations } from './client-operations.ts';
import { configurationPage } from './configuration.ts';
import { consoleAdvice } from './console-advice.ts';
import { drivenHosts } from './driven-hosts.ts';
import { errorsPage } from './errors.ts';
import { jobsPage } from './jobs.ts';
import { pythonClient } from './python/client.ts';

/** Generates the files that derive from the contract and the settings, by their paths from the root of the repository. */
export function generatedFiles(): Record<string, string> {
  return {
    'deploy/helm/continuity/README.md': chartReadme(),
    'deploy/helm/continuity/files/settings.json': chartSettings(),
    'docs/configuration.md': configurationPage(),
    'docs/errors.md': errorsPage(),
    'docs/jobs.md': jobsPage(),
    'packages/client/src/generated/agent-tools.ts': agentTools(),
    'packages/client/src/generated/driven-hosts.ts': drivenHosts(),
    'packages/client/src/generated/operations.ts': clientOperations(),
    'packages/console/src/generated/error-advice.ts': consoleAdvice(),
    ...Object.fromEntries(
      Object.entries(pythonClient()).map(([name, text]) => [
        `clients/python/src/continuity_client/${name}`,
        text,
      ]),
    ),
    'docs/openapi.json': `${JSON.stringify(describeApi(operations), null, 2)}\n`,
  };
}
