export { openFailFastRedis, type QueueStore, queueStoreOf } from './backend.ts';
export { batched, batchedByKey } from './batch.ts';
export { openConsumer, type QueueConsumer } from './consumer.ts';
export { openProducer, type QueueProducer, type QueueStoreState } from './producer.ts';
export { type QueueAddress, type QueueEntry, type QueueToken, storeNameOf } from './token.ts';
