import type { KnownKind } from './kinds.ts';
import { kindOfName } from './sections.ts';

/** Columns that a table of tasks has beside them. */
const taskColumn =
  /^(?:owner|assignee|assigned to|who|due(?: date)?|deadline|status|responsible|until|verantwortlich\p{L}*|wer|bis(?: wann)?|termin|frist|zuständig\p{L}*|fällig\p{L}*|responsable|échéance|statut|estado|plazo|fecha|担当者?|期限|状態|负责人|負責人|截止(?:日期|时间)?|状态)$/iu;
const doneCell =
  /^(?:done|closed|completed?|finished|resolved|erledigt|fertig|abgeschlossen|fait|terminé|hecho|✅|✔️?|x|完了|完成|已完成|済み?)$/iu;

/** A cell that says that a decision is not made, or not valid. */
const unsettledCell =
  /^(?:no|not (?:accepted|approved|agreed|decided|adopted)|denied|nein|non|否|いいえ|nicht (?:angenommen|genehmigt|beschlossen)|open|to be decided|pending|proposed|proposal|draft|rejected|declined|deferred|postponed|withdrawn|cancell?ed|superseded|deprecated|on hold|tbd|offen|abgelehnt|verworfen|verschoben|zurückgestellt|vorgeschlagen|entwurf|ouverte?|rejetée?|reportée?|proposée?|abiert[oa]|rechazad[oa]|pendiente|aplazad[oa]|propuest[oa]|未定|保留|却下|検討中|否决|待定|搁置|推迟|❌)(?:\s?[(,:–—-].{0,40})?$/iu;

/** The cells of a table row, without the blanks that align them. */
export function joinCells(row: string): string {
  return cellsOf(row).join(' | ');
}

function cellsOf(row: string): string[] {
  return row.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** The kind that the head of a table names for its rows: that of a column of decisions, or of tasks beside their owners; else null. */
export function kindOfColumns(head: string): KnownKind | null {
  const cells = cellsOf(head);
  const kinds = new Set(cells.map(kindOfName));
  if (kinds.has('decision')) return 'decision';
  return kinds.has('working_note') && cells.some((cell) => taskColumn.test(cell)) ? 'working_note' : null;
}

/** The kind of a row in a table of this kind: a task that is done is a fact, and a decision that is not settled has no kind. */
export function kindOfRow(row: string, kind: KnownKind | null): KnownKind | null {
  if (kind !== 'working_note' && kind !== 'decision') return kind;
  const cells = cellsOf(row);
  if (kind === 'working_note') return cells.some((cell) => doneCell.test(cell)) ? 'fact' : kind;
  return cells.some((cell) => unsettledCell.test(cell.replace(/[*_~`]|^\P{L}{1,4}(?=\p{L})/gu, '')))
    ? null
    : kind;
}
