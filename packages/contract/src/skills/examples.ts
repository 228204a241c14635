import { noHiddenCharacters } from '../notation/hidden-characters.ts';

/** The Scope, Skill and package of the examples of the Skill operations. */
export const exampleScope = 'project:atlas-billing';
export const exampleSkillId = '01a0521c-bfd8-7d38-8f21-ddb66cad4a26';
export const exampleArtifact = { family: 'skill', artifact_id: exampleSkillId, revision: 1 } as const;

/** The archive of the package `hello`, whose one file is `SKILL.md`. */
export const exampleArchive =
  'UEsDBBQAAAgAAAAAIQBGzgGpOAAAADgAAAAIAAAAU0tJTEwubWQtLS0KbmFtZTogaGVsbG8KZGVzY3JpcHRpb246IFNheSBoZWxsby4KLS0tCgpTYXkgaGVsbG8uClBLAQIUAxQAAAgAAAAAIQBGzgGpOAAAADgAAAAIAAAAAAAAAAAAAACkgQAAAABTS0lMTC5tZFBLBQYAAAAAAQABADYAAABeAAAAAAA=';

export const examplePackage = {
  tree_digest: '8ead503b039bd26a77b1aa93335462409f967b623f91430eaf43138083d6b429',
  archive_digest: 'cd567f4cd6e2a49b8cd2f0c0b3fcb978dbf32a8a398d6e925f84130a329c9b9c',
  file_count: 1,
  uncompressed_size: 56,
  archive_size: 170,
};

const exampleSkillFile = {
  path: 'SKILL.md',
  digest: '2266d5a037bb13ebcc3c5db01fae36d2915638b7f14f6ac1aed8137698a23a0d',
  size: 56,
  media_type: 'text/markdown',
  executable: false,
};

export const exampleFile = {
  ...exampleSkillFile,
  offset: 0,
  text: '---\nname: hello\ndescription: Say hello.\n---\n\nSay hello.\n',
  hidden_characters: noHiddenCharacters(),
  next_offset: null,
};

export const exampleManifest = {
  package: examplePackage,
  name: 'hello',
  description: 'Say hello.',
  license: null,
  compatibility: null,
  metadata: {},
  allowed_tools: null,
  files: [exampleSkillFile],
};

export const exampleContent = {
  name: 'hello',
  description: 'Say hello.',
  instructions: 'Say hello.',
  validation: [],
  package: examplePackage,
  license: null,
  compatibility: null,
  metadata: {},
  allowed_tools: null,
};

export const exampleUploadRef = {
  name: 'skill-package-upload',
  source_id: `skill_pkg_${examplePackage.tree_digest}`,
};
