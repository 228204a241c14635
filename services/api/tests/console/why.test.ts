import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startInferenceStub } from '@continuity/testing';
import { expect, test } from 'vitest';
import { learn } from '../support/context.ts';
import { embeddingBy, untilEmbedded } from '../support/embedding.ts';
import { freshScope } from '../support/memory.ts';
import { scopeCalls } from '../support/scopes.ts';
import { startService } from '../support/service.ts';
import { expectAccessible, expectNoComplaints, openTab, setUpConsole } from './support/console.ts';

const on = setUpConsole(() => ({ workers: true, environment: { MEMORY_AUTO_FLUSH: 'off' } }));

async function remember(scope_id: string, text: string) {
  const { entry } = (await on.service.call('remember_memory', { body: { scope_id, kind: 'fact', text } }))
    .body;
  if (entry === null) throw new Error('Nothing was remembered.');
  return entry;
}

const button = (name: string | RegExp) => on.tab.page.getByRole('button', { name, exact: true });
const ask = async (scope: string, query: string) => {
  await on.tab.open(`why?scope=${scope}`);
  await on.tab.page.getByRole('textbox', { name: 'Task or question' }).fill(query);
  await button('Explain').click();
  await on.tab.settle();
};

test('spec 60 scenario 1: First steps go from a note to an approved Experience by keyboard, and curl does the same', async () => {
  await on.tab.page.goto(on.proxy.url);
  await on.tab.settle();
  expect(new URL(on.tab.page.url()).pathname).toBe('/console/');
  await on.tab.page.getByRole('link', { name: 'First steps' }).first().focus();
  await on.tab.page.keyboard.press('Enter');
  await on.tab.page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor();
  for (const name of ['Capture', 'Flush', 'Search', 'Explain', 'Propose']) {
    const step = on.tab.page.getByRole('listitem').filter({ has: button(name) });
    await button(name).focus();
    await on.tab.page.keyboard.press('Enter');
    await step.getByText('done').waitFor();
    const curl = (await step.locator('details .text').textContent()) ?? '';
    const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
    expect(JSON.parse(stdout)).not.toHaveProperty('error');
  }
  await expectAccessible(on.tab);
  const { body } = await on.service.call('list_artifact_candidates', { body: { scope_id: 'first-steps' } });
  expect(body.candidates).toHaveLength(1);
  await on.tab.page.reload();
  await on.tab.settle();
  const review = on.tab.page.getByRole('link', { name: /^Review: / });
  await review.focus();
  await on.tab.page.keyboard.press('Enter');
  await button('Approve version 1').and(on.tab.page.locator(':enabled')).waitFor();
  await on.tab.page.keyboard.press('a');
  await on.tab.page.keyboard.press('Enter');
  await on.tab.page
    .getByRole('status', { name: 'Messages' })
    .getByText(/^Approved: experience\//)
    .waitFor();
});

test('spec 60 scenario 1: in Chinese, First steps lead to why an agent was not told a sentence', async () => {
  const tab = await openTab(on.browser, on.proxy.url, { language: 'zh-CN' });
  const press = (name: string) => tab.page.getByRole('button', { name, exact: true }).click();
  try {
    await tab.page.goto(on.proxy.url);
    await tab.settle();
    await tab.page.getByRole('link', { name: '入门' }).click();
    for (const name of ['捕获', '提取', '搜索', '解释', '提议']) {
      await press(name);
      await tab.page
        .getByRole('listitem')
        .filter({ has: tab.page.getByRole('button', { name, exact: true }) })
        .getByText('完成')
        .waitFor();
    }
    await tab.page.getByRole('link', { name: '查询某句话为何在或不在其中' }).click();
    const whyNot = tab.page.getByRole('textbox', { name: '为什么不在其中？' });
    await whyNot.fill('日志中不得包含令牌');
    await press('日志中不得包含令牌。');
    await tab.page.getByText('它与任务的共同点太少。').waitFor();
    await whyNot.fill('午餐在中午');
    await tab.page.getByText('此作用域中没有包含这些词的条目或经验').waitFor();
    await expectAccessible(tab);
    expectNoComplaints(tab);
  } finally {
    await tab.close();
  }
});

test('spec 60 §6.2: another query in the address is explained', async () => {
  const scope = freshScope();
  await remember(scope, 'The release train leaves on Monday.');
  await on.tab.open(`why?scope=${scope}#q=release+train`);
  await on.tab.page.getByText(/^1 of 1 candidates/).waitFor();
  await on.tab.page.evaluate(`location.hash = 'q=lunch'`);
  await on.tab.page.getByText(/^0 of 0 candidates/).waitFor();
  await on.tab.page.goBack();
  await on.tab.page.getByText(/^1 of 1 candidates/).waitFor();
});

test('spec 60 scenario 15: why a retired, a foreign, an unlike and an unknown entry are not in the context', async () => {
  const scope = freshScope();
  const parent = freshScope();
  await remember(scope, 'The contract tests run after each change of the schema.');
  const retired = await remember(scope, 'The contract tests ran before each change of the schema.');
  await on.service.call('retire_memory_entry', { body: { scope_id: scope, citation: retired.citation } });
  const unlike = await remember(scope, 'Lunch is at noon.');
  const foreign = await remember(
    parent,
    'The contract tests of the parent run after each change of the schema.',
  );
  await ask(scope, 'run the contract tests after the schema change');
  await on.tab.page.getByText(/^1 of 1 candidates are in the context/).waitFor();
  const field = on.tab.page.getByRole('textbox', { name: 'Why not?' });
  const within = on.tab.page.getByRole('textbox', { name: 'In Scope' });
  const answer = async (id: string, of: string, sentence: string) => {
    await within.fill(of);
    await field.fill(id);
    await button('This entry').click();
    await on.tab.page.getByText(sentence).waitFor();
  };
  await answer(retired.citation.entry_id, scope, 'It is retired.');
  await answer(unlike.citation.entry_id, scope, 'It has too little in common with the task.');
  await answer(foreign.citation.entry_id, parent, 'Its Scope is not read for this Scope.');
  await answer('01a0521c-0000-7000-8000-000000000000', scope, 'This Scope has no such entry or Experience.');
  await expectAccessible(on.tab);
});

test('spec 60 scenario 16: a pasted context against what is stored', async () => {
  const scope = freshScope();
  const texts = [
    'The release train leaves on Monday.',
    'The release train leaves from main.',
    'The release train needs a tag.',
    'The release train is green.',
  ];
  const entries = [];
  for (const text of texts) entries.push(await remember(scope, text));
  const { body } = await on.service.call('prepare_context', {
    body: { scope_id: scope, query: 'the release train leaves' },
  });
  const content = body.content ?? '';
  const { body: revised } = await on.service.call('get_memory_entry', {
    body: { scope_id: scope, entry_id: entries[0]?.citation.entry_id ?? '' },
  });
  await on.service.call('revise_memory_entry', {
    body: {
      scope_id: scope,
      citation: revised.citation,
      kind: 'fact',
      text: 'The release train leaves on Friday.',
    },
  });
  const { body: retired } = await on.service.call('get_memory_entry', {
    body: { scope_id: scope, entry_id: entries[1]?.citation.entry_id ?? '' },
  });
  await on.service.call('retire_memory_entry', { body: { scope_id: scope, citation: retired.citation } });
  await on.tab.open(`why?scope=${scope}`);
  await on.tab.page.getByText('Paste a context').click();
  await on.tab.page
    .getByRole('textbox', { name: 'Prepared context' })
    .fill(`Before\n${content.replace('needs a tag', 'needs a bag')}\nAfter`);
  await button('Check').click();
  const verdicts = on.tab.page.getByRole('list', { name: 'Items of the pasted context' });
  await verdicts.waitFor();
  const shown = await verdicts.getByRole('listitem').allTextContents();
  expect(shown.toSorted()).toEqual(
    [
      'Altered The release train needs a bag.',
      'As stored The release train is green.',
      'Retired since The release train leaves from main.',
      'Revised since The release train leaves on Monday.',
    ].toSorted(),
  );
});

test('spec 60 scenario 14: truncated, too many and too large candidates are said in words', async () => {
  const scope = freshScope();
  for (let index = 0; index < 12; index += 1)
    await remember(scope, `The nightly export number ${index} runs at ${index} o'clock.`);
  await ask(scope, 'when does the nightly export run');
  const table = on.tab.page.getByRole('table', { name: 'Candidates' });
  expect(await table.getByText('Included').count()).toBe(8);
  expect(await table.getByText('Eight items are in').count()).toBeGreaterThan(0);
  await on.tab.page.getByRole('spinbutton', { name: 'Budget in bytes' }).fill('512');
  await on.tab.page.keyboard.press('Enter');
  await table.getByText('No room').first().waitFor();
  await on.tab.page.getByText(/of 512 bytes\.$/).waitFor();
  await table.getByRole('button').first().click();
  await button('Copy citation').waitFor();
  await on.tab.page.getByText('What the agent got', { exact: true }).click();
  await on.tab.page.getByText(/BEGIN_SERVICE_PREPARED_CONTEXT_V1/).waitFor();
  await expectAccessible(on.tab);
});

test('spec 60 scenario 14: a truncated text, a third Experience and skipped references are said in words', async () => {
  const others = [];
  for (let count = 0; count < 17; count += 1) others.push(await scopeCalls(on.service).made());
  const scope = await scopeCalls(on.service).made({ context_references: others });
  await remember(scope, `The harbour is long ${'x '.repeat(2_000)}`);
  for (let count = 0; count < 3; count += 1) await learn(on.service, scope, `The harbour lesson ${count}.`);
  await ask(scope, 'the harbour lesson is long');
  const table = on.tab.page.getByRole('table', { name: 'Candidates' });
  await table.getByText('Limit of two Experiences').waitFor();
  expect(await on.tab.page.getByText('not read: more than 16 Scopes').count()).toBe(2);
  const truncated = table.getByRole('row').filter({ hasText: 'Truncated' });
  await truncated.getByRole('button').click();
  await on.tab.page.getByText(/^Cut off: [\d,]+ characters$/).waitFor();
  await expectAccessible(on.tab);
});

test('spec 60 scenario 14: an embedding endpoint that is down is said in words', async () => {
  const stub = await startInferenceStub();
  const service = await startService({ workers: true, environment: embeddingBy(stub) });
  const tab = await openTab(on.browser, service.url);
  try {
    const scope = freshScope();
    await service.call('remember_memory', {
      body: { scope_id: scope, kind: 'fact', text: 'The harbour opens at six.' },
    });
    await untilEmbedded(service, scope, 1);
    await tab.open(`why?scope=${scope}#q=the+harbour`);
    await tab.page.getByText(/Words and meaning/).waitFor();
    await stub.close();
    await tab.open(`why?scope=${scope}&max_bytes=4000#q=the+harbour+opens`);
    await tab.page.getByText('words only: the query could not be embedded').waitFor();
    expectNoComplaints(tab);
  } finally {
    await tab.close();
    await service.stop();
  }
});

test('spec 60 scenario 15: an entry behind the last candidate, and an Experience, by their words', async () => {
  const scope = freshScope();
  for (let count = 0; count < 40; count += 1)
    await remember(scope, `The broker number ${count} ${'padding '.repeat(count)}`);
  await learn(on.service, scope, 'A lesson about brokers of the harbour.');
  await ask(scope, 'the broker number');
  const field = on.tab.page.getByRole('textbox', { name: 'Why not?' });
  const { entries } = (await on.service.call('list_memory_entries', { body: { scope_id: scope } })).body;
  const last = entries.find(({ text }) => text.startsWith('The broker number 39'));
  await field.fill(JSON.stringify(last?.citation));
  await button('This entry').click();
  await on.tab.page
    .getByText(/^Better candidates took its place\. Score .* The last one in the list has/)
    .waitFor();
  await field.fill('lesson of the harbour');
  await button(/^Experience: .*A lesson about brokers/).click();
  await on.tab.page.getByText(/^It (is a candidate|has too little in common)/).waitFor();
  await field.fill('zeppelin');
  await on.tab.page.getByText('No entry or Experience of this Scope has these words').waitFor();
});

test('spec 60 §7.5.2: "Explain" on an entry asks for a task, and then why the entry was not told', async () => {
  const scope = freshScope();
  const entry = await remember(scope, 'The harbour opens at six.');
  await on.tab.open(`memory?scope=${scope}&entry=${entry.citation.entry_id}`);
  await on.tab.page.getByRole('link', { name: 'Explain' }).click();
  await on.tab.page.getByText('Explain a task first.').waitFor();
  await on.tab.page.getByRole('textbox', { name: 'Task or question' }).fill('when does lunch begin');
  await button('Explain').click();
  await button('This entry').and(on.tab.page.locator(':enabled')).click();
  await on.tab.page.getByText('It has too little in common with the task.').waitFor();
});
