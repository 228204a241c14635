import type { ArtifactRef } from '@continuity/contract';
import type { ExperienceContent } from '@continuity/contract/experience';
import type { HandoffContent } from '@continuity/contract/handoff';
import type { SkillContent } from '@continuity/contract/skills';
import type { Queries } from '@continuity/kernel/database';
import { readEntryTexts } from '../../memory/index.ts';
import type { Piece } from '../piece.ts';
import { normalizePiece } from '../text.ts';
import type { EvidencePlaceKey } from './place.ts';
import { readContent } from './read-content.ts';

/** Reads Artifact revisions that exist as pieces, in order. */
export async function readArtifactPieces(
  queries: Queries,
  place: EvidencePlaceKey,
  refs: readonly ArtifactRef[],
): Promise<Piece[]> {
  const pieces: Piece[] = [];
  // One at a time: a snapshot has one connection.
  for (const ref of refs) pieces.push(await readPiece(queries, place, ref));
  return pieces;
}

async function readPiece(queries: Queries, place: EvidencePlaceKey, ref: ArtifactRef): Promise<Piece> {
  if (ref.family === 'memory') return await memoryPiece(queries, place, ref);
  const content = await readContent(queries, place, ref);
  if (ref.family === 'experience') return experiencePiece(content as ExperienceContent);
  if (ref.family === 'skill') {
    const { description, instructions } = content as SkillContent;
    return textPiece(`${description}\n\n${instructions}`);
  }
  const { objective, state, next_action, omissions } = content as HandoffContent;
  const said = [...state, ...(next_action === null ? [] : [next_action]), ...omissions];
  return textPiece([objective, ...said.map(({ text }) => text)].join('\n'));
}

/** Each entry is a paragraph. */
async function memoryPiece({ sql }: Queries, place: EvidencePlaceKey, ref: ArtifactRef): Promise<Piece> {
  const newest = await readEntryTexts(sql, place, ref);
  const { text, isTruncated } = normalizePiece(newest.texts.join('\n\n'));
  return { kind: 'text', text, isTruncated: isTruncated || newest.isTruncated };
}

function experiencePiece(content: ExperienceContent): Piece {
  const { situation, action, outcome, lesson } = content;
  const text = `Situation: ${situation}\n\nAction: ${action}\n\nOutcome: ${outcome}\n\nLesson: ${lesson}`;
  return { kind: 'experience', content, ...normalizePiece(text) };
}

function textPiece(text: string): Piece {
  return { kind: 'text', ...normalizePiece(text) };
}
