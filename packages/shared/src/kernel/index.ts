export * from './batch.ts';
export * from './canonical-json.ts';
export * from './clock.ts';
export * from './config/index.ts';
export * from './contract/index.ts';
export * from './cursor.ts';
export * from './database/index.ts';
export * from './errors/index.ts';
export * from './ids.ts';
export * from './json.ts';
export * from './paths.ts';
export * from './process.ts';
// The library of the queues is loaded by those who queue or work, and by nobody else.
export * from './queue/names.ts';
export * from './repeat.ts';
export * from './telemetry/index.ts';
export * from './text.ts';
export * from './time-limit.ts';
