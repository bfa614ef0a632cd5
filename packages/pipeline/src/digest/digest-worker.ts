/** The thread's side: takes chunks of records, tells how far it is, gives back what they were digested to. */
import { parentPort, workerData } from 'node:worker_threads'
import type { StageTimes } from '../stage-runner.ts'
import { type ChunkReply, type ChunkRequest, packRows, unpackRecords, type WorkerSetup } from './chunk.ts'
import { digestRecord } from './digest-record.ts'

const { settings: first, progress } = workerData as WorkerSetup
let settings = first
const begun = new Int32Array(progress)

parentPort?.on('message', (request: ChunkRequest) => {
  settings = request.settings ?? settings
  const times: StageTimes = new Map()
  const digested = unpackRecords(request).map((record, at) => {
    // How many were begun: the last of them is to blame if this thread does not come back.
    Atomics.store(begun, 0, at + 1)
    return digestRecord(record, settings, times)
  })
  const { packed, buffer } = packRows(digested)
  const reply: ChunkReply = { digested: packed, times }
  parentPort?.postMessage(reply, [buffer])
})
