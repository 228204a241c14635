export { openFailFastRedis, type QueueStore, queueStoreOf } from './backend.ts';
export { type ConsumerOptions, openConsumer, type QueueConsumer } from './consumer.ts';
export { openProducer, type ProducerOptions, type QueueProducer, type QueueStoreState } from './producer.ts';
export { type QueueAddress, type QueueEntry, type QueueToken, queueToken, storeNameOf } from './token.ts';
