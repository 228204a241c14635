export { type QueueName, queueNames } from './names.ts';
