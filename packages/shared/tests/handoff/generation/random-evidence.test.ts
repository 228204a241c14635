import { type HandoffDraft, handoffDraft } from '@continuity/contract/handoff';
import { createLogger } from '@continuity/kernel/telemetry';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import {
  createBuiltinHandoffGenerator,
  type DraftRequest,
  InvalidDraftError,
} from '../../../src/handoff/generation/index.ts';
import { brokenDraftRule } from '../../../src/handoff/rules.ts';
import { StatementFinder } from '../../../src/memory/index.ts';
import { evidenceOf, requestOf } from './evidence.ts';

const numRuns = inject('isSlowRun') ? 150 : 10;

const { draft } = createBuiltinHandoffGenerator(
  new StatementFinder(createLogger({ LOG_LEVEL: 'silent' }, 'test')),
);

test('spec 30 §3.3.2: whatever the evidence is, the draft keeps the rules, or does not fit at all', async () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => text.toWellFormed().replaceAll('\0', '')),
    fc.lorem({ mode: 'sentences', maxCount: 30 }),
    fc.constantFrom(
      '- [ ] ',
      '\n\n',
      '"}]} ',
      '必须使用缓存。',
      'blocked',
      '😀'.repeat(200),
      'ab'.repeat(2_000),
    ),
  );
  const content = fc.oneof(
    fc.array(words, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(' ')),
    fc.jsonValue({ noUnicodeString: true }) as fc.Arbitrary<string>,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 1, maxLength: 32 }),
      fc.string({ minLength: 1, maxLength: 400 }).filter((text) => text.trim() !== ''),
      fc.integer({ min: 512, max: 4_000 }),
      async (contents, objective, maxBytes) => {
        const request = requestOf(evidenceOf(...contents), { objective, maxBytes });
        const drafted = await orFault(request);
        if (drafted instanceof InvalidDraftError) {
          expect(drafted.reason).toBe('budget');
          expect(objective.length).toBeGreaterThan(maxBytes - 400);
          return;
        }
        expect(handoffDraft.safeParse(drafted).error).toBeUndefined();
        const evidence = request.evidence.map(({ citation }) => citation);
        expect(brokenDraftRule(drafted, { objective, evidence, maxBytes })).toBeUndefined();
        expect(await draft(request)).toEqual(drafted);
      },
    ),
    { numRuns },
  );
});

async function orFault(request: DraftRequest): Promise<HandoffDraft | InvalidDraftError> {
  return await draft(request).catch((error: unknown) => {
    if (error instanceof InvalidDraftError) return error;
    throw error;
  });
}
