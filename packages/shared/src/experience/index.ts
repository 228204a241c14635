export {
  type ExperienceHit,
  experienceCorpus,
  experiencesOfScope,
  explainExperiences,
  labeledText,
  languagesOfExperiences,
  proposedExperience,
  searchExperiences,
  searchedText,
} from './content.ts';
export { type ExperienceDeps, experienceHandlers } from './handlers.ts';
