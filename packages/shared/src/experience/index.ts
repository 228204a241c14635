export {
  type ExperienceHit,
  experienceSpace,
  hasManyExperiences,
  languagesOfExperiences,
  searchExperiences,
  searchFewExperiences,
} from './search.ts';
export { searchedText } from './searched-text.ts';
