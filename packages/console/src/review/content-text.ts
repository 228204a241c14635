import { t } from '../catalog/index.ts';
import { isSkill, type Proposal } from './types.ts';

/** The fields of a proposal in the order in which they are read. Empty fields are left out. */
export function fieldsOf(proposal: Proposal): { name: string; text: string }[] {
  if (!isSkill(proposal))
    return [
      { name: t.situation, text: proposal.situation },
      { name: t.action, text: proposal.action },
      { name: t.outcome, text: proposal.outcome },
      { name: t.lesson, text: proposal.lesson },
    ];
  const fields = [
    { name: t.name, text: proposal.name },
    { name: t.description, text: proposal.description },
    { name: t.instructions, text: proposal.instructions },
    { name: t.validation, text: proposal.validation.join('\n') },
    { name: t.license, text: proposal.license ?? '' },
    { name: t.compatibility, text: proposal.compatibility ?? '' },
    { name: t.allowedTools, text: proposal.allowed_tools ?? '' },
    {
      name: t.metadata,
      text: Object.entries(proposal.metadata)
        .map(([key, value]) => `${key}: ${value}`)
        .join('\n'),
    },
  ];
  return fields.filter(({ text }) => text !== '');
}

/** A proposal as one text, for differences. */
export function textOf(proposal: Proposal): string {
  return fieldsOf(proposal)
    .map(({ name, text }) => `${name}\n${text}`)
    .join('\n\n');
}
