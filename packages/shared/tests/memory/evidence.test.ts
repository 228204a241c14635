import type { SourceRef } from '@continuity/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addEvidence } from '../../src/memory/evidence.ts';

const refs = fc.array(
  fc.nat(60).map((number): SourceRef => ({ name: 'content', source_id: `s${number}` })),
  { maxLength: 40 },
);

test('spec 20 M12: evidence grows without duplicates to at most 32, and nothing that was there goes away', () => {
  fc.assert(
    fc.property(refs, refs, (before, added) => {
      const start = addEvidence(null, before) ?? [];
      const grown = addEvidence(start, added);
      if (grown === null) {
        const isFull = start.length === 32;
        expect(isFull || added.every((ref) => start.some((one) => one.source_id === ref.source_id))).toBe(
          true,
        );
        return;
      }
      const ids = grown.map(({ source_id }) => source_id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeLessThanOrEqual(32);
      expect(ids).toEqual([...ids].sort());
      for (const ref of start) expect(ids).toContain(ref.source_id);
      expect(addEvidence(grown, added)?.length ?? grown.length).toBeLessThanOrEqual(32);
    }),
  );
});

test('spec 20 M12: of too many, the later ones are left out', () => {
  const added = Array.from({ length: 40 }, (_, index) => ({ name: 'content', source_id: `s${10 + index}` }));
  expect(addEvidence(null, added)?.map(({ source_id }) => source_id)).toEqual(
    added.slice(0, 32).map(({ source_id }) => source_id),
  );
});
