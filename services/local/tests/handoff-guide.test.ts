import { expect, test } from 'vitest';
import { commandsOf, readDocument, runGuide } from './support/guide.ts';

test('the commands of the handoff guide work as documented', async () => {
  const answers = await runGuide(commandsOf(await readDocument('docs/guides/hand-off.md')));
  const [bug, contract, output, committed, continued, passed, outcome, read] = answers;
  expect(bug).toMatchObject({ status: 'accepted', position: 1 });
  expect(contract).toMatchObject({ kind: 'work-contract', position: 2 });
  expect(output).toMatchObject({ status: 'accepted', position: 3 });
  const revision = { family: 'handoff', artifact_id: 'handoff', revision: 1 };
  expect(committed).toMatchObject({ reference: revision, source_refs: [{ source_id: 'boundary-41' }, {}] });
  expect(continued).toMatchObject({
    status: 'resolved',
    trust: 'untrusted_history',
    selected_revision: revision,
    evidence_checks: Array(3).fill({ status: 'available' }),
  });
  expect(passed).toMatchObject({ status: 'accepted', position: 6 });
  expect(outcome).toMatchObject({ kind: 'task-outcome', position: 7 });
  expect(read).toMatchObject({
    content: { status: 'succeeded', handoff_receipt_ref: { name: 'content', source_id: 'receipt-41' } },
  });
});
