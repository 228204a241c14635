export { type ExperienceDeps, experienceHandlers } from './handlers.ts';
