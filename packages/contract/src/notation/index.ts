export { messageOf } from './issue-messages.ts';
export * from './shapes.ts';
export * from './text.ts';
export * from './times.ts';
