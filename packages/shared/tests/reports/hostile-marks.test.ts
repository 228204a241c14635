import { exampleReport } from '@continuity/contract/reports';
import { underLoad } from '@continuity/testing';
import { expect, test } from 'vitest';
import { render } from './support/render.ts';

/** As long as a statement may be. NFC sorts a run of combining marks. */
const marks = '\u0301\u0323'.repeat(4_096);

test('statements of combining marks take no longer to render than other statements', () => {
  const [entry] = exampleReport.scopes;
  if (entry?.content == null) throw new Error('The example has an entry.');
  const [statement] = entry.content.state;
  if (statement === undefined) throw new Error('The example has a statement.');
  const state = Array.from({ length: 64 }, () => ({ ...statement, text: marks }));
  const report = { ...exampleReport, scopes: [{ ...entry, content: { ...entry.content, state } }] };
  const begun = performance.now();
  render(report);
  // `normalize` alone takes over 8 seconds.
  expect(performance.now() - begun).toBeLessThan(underLoad(2_000));
});
