export { writeOnce } from './write-once.ts';
