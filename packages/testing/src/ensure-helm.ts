// `.ci/run` runs this before the suite: builds Helm, and downloads the schemas of Kubernetes.
import { ensureHelm, kubernetesDefinitions, kubernetesVersions } from './helm.ts';

await ensureHelm();
for (const version of kubernetesVersions) await kubernetesDefinitions(version);
