export { type ExperienceHit, searchExperiences } from './search.ts';
export { searchedText } from './searched-text.ts';
