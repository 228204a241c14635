import { listResources } from './api.ts';
import { runProgram } from './run-program.ts';

/** The parts of Kubernetes' resources that decide who reaches whom. */
interface Labelled {
  metadata: { name: string; namespace: string; labels?: Record<string, string> };
}

interface Pod extends Labelled {
  spec: { hostNetwork?: boolean; containers: { ports?: { name?: string; containerPort: number }[] }[] };
  status: { podIP?: string };
}

interface Selector {
  matchLabels?: Record<string, string>;
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
}

interface Port {
  port: number | string;
  protocol: string;
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: Port[];
}

interface Policy extends Labelled {
  spec: { podSelector: Selector; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] };
}

/** A direction of traffic, with the options of iptables for the address of the pod and of its peer. */
const directions = [
  { type: 'Ingress', rules: 'ingress', peer: 'from', own: '-d', other: '-s' },
  { type: 'Egress', rules: 'egress', peer: 'to', own: '-s', other: '-d' },
] as const;
type Direction = (typeof directions)[number];

const everyMs = 500;
const chains = { forward: 'POLICY-FORWARD', input: 'POLICY-INPUT' };

/** kube-proxy changes the tables too. */
const wait = ['--wait', '30'];

/**
 * Enforces NetworkPolicies among the pods of the node by rules of iptables, as a network plugin of a cluster does: the bridge plugin has no
 * such part. Reads policies and pods twice a second. Knows what the chart renders, and fails for anything else. Traffic of the node itself,
 * such as that of probes, is not restricted. Resolves to a function that ends it: it removes the restrictions, and throws what failed.
 */
export async function enforcePolicies(): Promise<() => Promise<void>> {
  for (const name of Object.values(chains)) await runProgram('iptables', [...wait, '--new-chain', name]);
  await runProgram('iptables', [...wait, '--insert', 'FORWARD', '--jump', chains.forward]);
  await runProgram('iptables', [...wait, '--insert', 'INPUT', '--jump', chains.input]);
  const restore = (rules: string) => runProgram('iptables-restore', [...wait, '--noflush'], { input: rules });
  const work = { isOver: false };
  let known = '';
  const refresh = async (): Promise<void> => {
    // The API server may be busy: the next turn reads again.
    const resources = await readResources().catch(() => undefined);
    const rules = resources === undefined ? known : rulesOf(...resources);
    if (rules !== known) await restore(rules);
    known = rules;
  };
  await refresh();
  const repeat = async (): Promise<void> => {
    while (!work.isOver) {
      await refresh();
      await new Promise((wake) => setTimeout(wake, everyMs));
    }
  };
  const failure = repeat().then(
    () => undefined,
    (error: Error) => error,
  );
  return async () => {
    work.isOver = true;
    const error = await failure;
    await restore(rulesOf([], [], []));
    if (error !== undefined) throw error;
  };
}

async function readResources(): Promise<[Policy[], Pod[], Labelled[]]> {
  const [policies, pods, namespaces] = await Promise.all([
    listResources<Policy>('networkpolicies'),
    listResources<Pod>('pods'),
    listResources<Labelled>('namespaces'),
  ]);
  return [policies, pods.filter(hasAddress), namespaces];
}

const hasAddress = ({ spec, status }: Pod): boolean =>
  status.podIP !== undefined && spec.hostNetwork !== true;

/** Rules in the form of `iptables-restore`, for all pods that a policy selects. */
function rulesOf(policies: Policy[], pods: Pod[], namespaces: Labelled[]): string {
  const own = Object.values(chains);
  const answers = own.map((name) => `-A ${name} -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN`);
  const addressesOf = (peer: Peer, namespace: string): string[] =>
    pods.filter((pod) => isPeer(pod, peer, namespace, namespaces)).map((pod) => pod.status.podIP ?? '');
  const perPod = pods.flatMap((pod) => {
    const selecting = policies.filter(
      ({ metadata, spec }) => metadata.namespace === pod.metadata.namespace && selects(spec.podSelector, pod),
    );
    return directions.map((direction) => restrict(pod, selecting, direction, addressesOf));
  });
  const declared = [...own, ...perPod.flatMap(({ chain }) => chain ?? [])].map((name) => `:${name} - [0:0]`);
  return ['*filter', ...declared, ...answers, ...perPod.flatMap(({ rules }) => rules), 'COMMIT', ''].join(
    '\n',
  );
}

/** The rules of a pod in one direction, in a chain of their own. None if no policy restricts it. */
function restrict(
  pod: Pod,
  policies: Policy[],
  direction: Direction,
  addressesOf: (peer: Peer, namespace: string) => string[],
): { chain?: string; rules: string[] } {
  const { type, peer, own, other } = direction;
  const restricting = policies.filter(({ spec }) => spec.policyTypes.includes(type));
  if (restricting.length === 0) return { rules: [] };
  const address = pod.status.podIP ?? '';
  const chain = `${type}-${address}`;
  const allowed = restricting.flatMap(({ metadata, spec }) =>
    (spec[direction.rules] ?? []).flatMap((rule) => {
      const addresses = rule[peer]?.flatMap((one) => addressesOf(one, metadata.namespace)) ?? ['0.0.0.0/0'];
      return portsOf(rule.ports, type === 'Ingress' ? pod : undefined).flatMap((port) =>
        addresses.map((one) => `-A ${chain} ${other} ${one}${port} -j RETURN`),
      );
    }),
  );
  // A pod asks the name server, which runs on the node.
  const callers = type === 'Ingress' ? [chains.forward] : [chains.forward, chains.input];
  const jumps = callers.map((name) => `-A ${name} ${own} ${address} -j ${chain}`);
  return { chain, rules: [...allowed, `-A ${chain} -j DROP`, ...jumps] };
}

/** Conditions of a rule's ports. A name is that of a port of the receiving pod. */
function portsOf(ports: Port[] | undefined, receiver: Pod | undefined): string[] {
  if (ports === undefined) return [''];
  return ports.flatMap(({ port, protocol }) => {
    const number =
      typeof port === 'number'
        ? port
        : receiver?.spec.containers
            .flatMap((container) => container.ports ?? [])
            .find(({ name }) => name === port)?.containerPort;
    return number === undefined ? [] : [` -p ${protocol.toLowerCase()} --dport ${number}`];
  });
}

function isPeer(pod: Pod, peer: Peer, namespace: string, namespaces: Labelled[]): boolean {
  const { podSelector, namespaceSelector, ...others } = peer;
  if (Object.keys(others).length > 0) throw new Error(`Unknown peers: ${JSON.stringify(others)}`);
  const home = namespaces.find(({ metadata }) => metadata.name === pod.metadata.namespace);
  const isNear =
    namespaceSelector === undefined
      ? pod.metadata.namespace === namespace
      : home !== undefined && selects(namespaceSelector, home);
  return isNear && selects(podSelector ?? {}, pod);
}

function selects({ matchLabels = {}, ...others }: Selector, { metadata }: Labelled): boolean {
  if (Object.keys(others).length > 0) throw new Error(`Unknown selectors: ${JSON.stringify(others)}`);
  return Object.entries(matchLabels).every(([key, value]) => metadata.labels?.[key] === value);
}
