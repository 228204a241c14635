export * from './operations.ts';
export * from './queues.ts';
