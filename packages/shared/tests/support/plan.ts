import type pg from 'pg';

/** A step of a plan that compares rows. */
export interface PlanStep {
  /** The table that the step reads; undefined for a join. */
  table: string | undefined;
  /** Undefined for a join, and for a scan of the whole table. */
  index: string | undefined;
  /** Conditions of the index, the filter and the join. */
  condition: string;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'Join Filter'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** The steps of the plan that the session makes for all values of the statement's parameters. */
export async function planOf(client: pg.Client, text: string): Promise<PlanStep[]> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const values = Array.from({ length: count }, () => 'NULL').join(', ');
  await client.query(`PREPARE planned AS ${text}`);
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (FORMAT JSON) EXECUTE planned${values && `(${values})`}`,
    );
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => stepsOf(Plan)));
  } finally {
    await client.query('DEALLOCATE planned');
  }
}

function stepsOf(node: PlanNode): PlanStep[] {
  const conditions = [node['Index Cond'], node['Recheck Cond'], node['Join Filter'], node.Filter];
  const own = {
    table: node['Relation Name'],
    index: node['Index Name'],
    condition: conditions.filter(Boolean).join(' '),
  };
  const below = (node.Plans ?? []).flatMap(stepsOf);
  // ModifyTable names the table that it writes, but has no condition.
  return node['Node Type'] === 'ModifyTable' ? below : [own, ...below];
}
