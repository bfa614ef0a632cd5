/** The log on NATS JetStream: for several machines. Loaded only where it is used. */
export { inspectNats, type NatsInspection, type NatsPartition } from './inspect.ts'
export { type NatsReadersOptions, openNatsReaders } from './reader.ts'
export { type NatsWriterOptions, openNatsWriter } from './writer.ts'
