export {
  type ExperienceHit,
  experienceCorpus,
  experiencesOfScope,
  languagesOfExperiences,
  searchExperiences,
} from './search.ts';
export { searchedText } from './searched-text.ts';
