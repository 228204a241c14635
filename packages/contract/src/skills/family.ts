import type { FamilySpec } from '../families/family.ts';
import { skillContent, skillContentInput } from './shapes.ts';

const exampleFields = {
  name: 'openapi-change',
  description: 'Use when the public HTTP contract changes.',
};

/** Skills in the Artifact and review operations. */
export const skillFamily = {
  title: 'Skill',
  article: 'a',
  content: skillContent,
  createContent: skillContentInput,
  replaceContent: skillContentInput,
  isSearched: true,
  proposal: {
    description:
      'Stores a pending Candidate. A proposal without a package gets one with a single file, `SKILL.md`, and the answer has ' +
      'the content of that package.',
    bodyLimit: 2 * 1024 * 1024,
    canRetire: true,
    example: {
      summary: 'A Skill without a package',
      sent: {
        ...exampleFields,
        instructions: 'Regenerate the client, read the diff, run the contract tests.',
        validation: ['contract tests pass'],
      },
      reason: null,
      candidateId: '01993c20-10aa-7f00-8a11-0c0ffee00001',
      stored: {
        ...exampleFields,
        instructions:
          'Regenerate the client, read the diff, run the contract tests.\n\n## Validation\n\n- contract tests pass',
        validation: [],
        package: {
          tree_digest: '99cbd3200f79883aada42df1f86f837a1389ecf9aa5462bf3be96314c94fa4ec',
          archive_digest: 'be5ff2409ab6f8b1699c100997cb66b18588cc97390c79c58c947fc2ac3b4fa3',
          file_count: 1,
          uncompressed_size: 190,
          archive_size: 304,
        },
        license: null,
        compatibility: null,
        metadata: {},
        allowed_tools: null,
      },
    },
  },
  isGenerated: true,
} as const satisfies FamilySpec;
