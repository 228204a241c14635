/** The queues of the service (spec 00 §7). A queue is scaled, fails and restarts alone. */
export const queueNames = ['memory-flush', 'memory-embed', 'candidate-generation'] as const;

export type QueueName = (typeof queueNames)[number];
