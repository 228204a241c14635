/** A metric family of an exposition. The key of a sample is its name with labels, such as `x_total{a="b"}`. */
export interface MetricFamily {
  name: string;
  type: string;
  unit: string | undefined;
  help: string | undefined;
  samples: Map<string, number>;
}

const metadataLine = /^# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const sampleLine = new RegExp(String.raw`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{${label}(?:,${label})*\})? (\S+)$`);

const suffixes: Record<string, string[]> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_count', '_sum'],
};

/** Parses an exposition in the format OpenMetrics 1.0. Throws at the first invalid line. */
export function readOpenMetrics(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('# EOF\n')) throw new Error('The exposition does not end with # EOF.');
  const families = new Map<string, MetricFamily>();
  let current: MetricFamily | undefined;
  for (const line of text.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
    const [, keyword, name, rest] = metadataLine.exec(line) ?? [];
    if (keyword === undefined || name === undefined || rest === undefined) addSample(line, current);
    else current = addMetadata(families, current, { keyword, name, rest });
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function addMetadata(
  families: Map<string, MetricFamily>,
  current: MetricFamily | undefined,
  { keyword, name, rest }: { keyword: string; name: string; rest: string },
): MetricFamily {
  if (keyword === 'TYPE') {
    if (families.has(name)) throw new Error(`The family ${name} occurs twice.`);
    const family = { name, type: rest, unit: undefined, help: undefined, samples: new Map() };
    families.set(name, family);
    return family;
  }
  if (current?.name !== name) throw new Error(`${keyword} of ${name} is outside its family.`);
  if (keyword === 'UNIT') current.unit = rest;
  else current.help = rest;
  return current;
}

function addSample(line: string, family: MetricFamily | undefined): void {
  const [, name, labels = '', value] = sampleLine.exec(line) ?? [];
  if (name === undefined || family === undefined) throw new Error(`This line is not OpenMetrics: ${line}`);
  const allowed = suffixes[family.type]?.map((suffix) => family.name + suffix) ?? [];
  if (!allowed.includes(name))
    throw new Error(`${name} is not a sample of the ${family.type} ${family.name}.`);
  if (family.samples.has(name + labels)) throw new Error(`The sample ${name}${labels} occurs twice.`);
  const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
  if (Number.isNaN(number)) throw new Error(`${line} has no value.`);
  family.samples.set(name + labels, number);
}

function checkFamily({ name, type, unit, samples }: MetricFamily): void {
  if (unit !== undefined && !name.endsWith(`_${unit}`)) throw new Error(`${name} does not end with ${unit}.`);
  if (type === 'histogram') for (const [sample, count] of samples) checkCount(name, samples, sample, count);
}

/** Requires that buckets never decrease and that the last bucket equals the count. */
function checkCount(name: string, samples: Map<string, number>, sample: string, count: number): void {
  if (!sample.startsWith(`${name}_count`)) return;
  const labels = sample.slice(`${name}_count`.length).replace(/}$/, ',').replace(/^$/, '{');
  const buckets = [...samples].filter(([key]) => key.startsWith(`${name}_bucket${labels}le=`));
  const counts = buckets.map(([, value]) => value);
  if (counts.at(-1) !== count) throw new Error(`${sample} is ${count}, its last bucket ${counts.at(-1)}.`);
  if (counts.some((value, index) => value < (counts[index - 1] ?? 0)))
    throw new Error(`A bucket of ${name} decreases.`);
}
