/** The log in segment files on the local disk; `docs/internals/log-format.md` describes the bytes. */
export { lockLog } from './checkpoint.ts'
export type { Corruption } from './collect.ts'
export { damagedFolder, type DamagedStretch } from './damaged-segments.ts'
export { inspectLog, type LogInspection } from './inspect.ts'
export { type LogReaderOptions, openLogReader, openLogReaders } from './reader.ts'
export { type LogFile, type OpenLogFile, segmentPath } from './segments.ts'
export { type LogWriterOptions, openLogWriter } from './writer.ts'
