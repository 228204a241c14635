import { readFileSync } from 'node:fs';
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { secretSettings, settingsSchema } from '../../packages/kernel/src/config/index.ts';
import { code, generatedNote, table } from './markdown.ts';

const values = new URL('../../deploy/helm/continuity/values.yaml', import.meta.url);

/** `files/settings.json` of the chart: the settings that its values may have. */
export function chartSettings(): string {
  const secret: readonly string[] = secretSettings;
  const plain = Object.keys(settingsSchema.shape).filter((name) => !secret.includes(name));
  return `${JSON.stringify({ plain: plain.sort(), secret: [...secret].sort() }, null, 2)}\n`;
}

/** `README.md` of the chart: its values with their descriptions. */
export function chartReadme(): string {
  return `# continuity

${generatedNote}

For operators: all values of the Helm chart of Continuity, for Kubernetes 1.27 or newer. The chart installs gateways, a Deployment for
each queue and for reports, and a Job that migrates the database before each installation and upgrade. It installs neither PostgreSQL
nor Redis. [kubernetes.md](../../../docs/kubernetes.md) says how to install, upgrade and roll back.

\`\`\`sh
kubectl create secret generic continuity \\
  --from-literal=DATABASE_URL=postgresql://user:password@postgres:5432/continuity \\
  --from-literal=REDIS_URL=redis://redis:6379 \\
  --from-literal=AUTH_TOKEN="$(openssl rand -hex 32)"
helm install continuity deploy/helm/continuity --set image.repository=registry.example.com/continuity
helm test continuity
\`\`\`

## Values

${table(['Value', 'Default', 'Description'], describeValues())}
`;
}

function describeValues(): string[][] {
  const { contents } = parseDocument(readFileSync(values, 'utf8'));
  if (!isMap(contents)) throw new Error('values.yaml has no values.');
  return rowsOf(contents, []);
}

function rowsOf(map: YAMLMap, path: string[]): string[][] {
  return map.items.flatMap((pair, index) => {
    const key = [...path, String(pair.key)];
    // The parser gives the comment of the first pair to the map.
    const description = descriptionOf(pair, index === 0 ? map.commentBefore : undefined);
    const { value } = pair;
    const own =
      description === undefined
        ? []
        : [[code(key.join('.')), code(JSON.stringify(isScalar(value) ? value.value : value)), description]];
    const rows = [...own, ...(isMap(value) ? rowsOf(value, key) : [])];
    if (rows.length === 0 && path.length === 0) throw new Error(`values.yaml does not describe ${key}.`);
    return rows;
  });
}

function descriptionOf(pair: Pair, ofMap: string | null | undefined): string | undefined {
  const comment = (isScalar(pair.key) && pair.key.commentBefore) || ofMap || '';
  const described = comment.split(/^ -- /m)[1];
  return described
    ?.split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}
