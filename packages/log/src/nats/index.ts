/** The log on NATS JetStream and the bus on NATS: for several machines. Loaded only where it is used. */
export { type NatsBusOptions, openNatsBus } from './bus.ts'
export { inspectNats, type NatsInspection, type NatsPartition, readNatsVersion } from './inspect.ts'
export { type NatsReadersOptions, openNatsReaders } from './reader.ts'
export { type NatsWriterOptions, openNatsWriter } from './writer.ts'
