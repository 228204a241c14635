export { labeledText, proposedExperience, searchedText } from './content.ts';
export { type ExperienceDeps, experienceHandlers } from './handlers.ts';
export {
  type ExperienceHit,
  experienceCorpus,
  experiencesOfScope,
  languagesOfExperiences,
  searchExperiences,
} from './search.ts';
