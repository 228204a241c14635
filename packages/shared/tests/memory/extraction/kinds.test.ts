import { expect, test } from 'vitest';
import { cuedKind } from '../../../src/memory/extraction/builtin/kinds.ts';

test.each([
  [
    'constraint',
    [
      'Tokens must be hashed.',
      'NEVER log it',
      'A key is required.',
      'It is forbidden',
      'Do not deploy on Friday',
    ],
  ],
  [
    'constraint',
    [
      'No se permite desplegar los viernes.',
      'Não é permitido usar MySQL.',
      'Le format XML n’est pas autorisé.',
      'I dati devono essere cifrati.',
      'Er zijn geen uploads boven 2 MB toegestaan.',
      'Nie wolno wdrażać w piątek.',
      'İki onay zorunludur.',
      'No uploads above 2 MB are allowed.',
    ],
  ],
  ['constraint', ['必须使用 TLS', '不得记录令牌', '禁止周五部署', '禁止週五部署']],
  [
    'decision',
    [
      'We decided on pnpm',
      'She chose Postgres',
      'We agreed to wait',
      'The API will use JSON',
      'Decision: pnpm',
    ],
  ],
  [
    'decision',
    [
      'Se acordó usar Kafka.',
      'Ficou definido que usamos Svelte.',
      'Abbiamo scelto Redis.',
      'We hebben besloten Redis te gebruiken.',
      'Zdecydowaliśmy się na Redis.',
      'Redis için karar verdik.',
    ],
  ],
  ['decision', ['我们决定使用它', '我们选择了它', '采用新的方案', '採用新的方案']],
  [
    'preference',
    ['Bob prefers tabs', 'Anna likes tea', 'My favourite color', 'her favorite editor', 'I love cats'],
  ],
  [
    'preference',
    ['Anna geeft de voorkeur aan tabs.', 'Ola preferuje tabulatory.', 'Deniz sekmeleri tercih eder.'],
  ],
  ['preference', ['用户喜欢深色主题', '我的偏好是深色']],
  [
    'working_note',
    [
      'Next step is the client',
      'Tests are to do',
      'TODO: docs',
      'Two remaining bugs',
      'Blocked by the review',
    ],
  ],
  ['working_note', ['下一步是测试', '这是待办事项', '部署被阻塞']],
  [
    null,
    [
      'The pool has 20 connections',
      'A mustard jar',
      'Neverland',
      'It was not required',
      '不得不说它很快',
      'It likened',
    ],
  ],
])('spec 20 X3: %s: %s', (kind, texts) => {
  for (const text of texts) expect([text, cuedKind(text)]).toEqual([text, kind]);
});

test('spec 20 X3: the first list that matches wins', () => {
  expect(cuedKind('We decided that tokens must never be logged')).toBe('constraint');
  expect(cuedKind('We decided on what Bob prefers')).toBe('decision');
  expect(cuedKind('Bob prefers the remaining one')).toBe('preference');
});
