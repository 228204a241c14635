export { usedKeyMessage, writeOnce } from './write-once.ts';
