/** The thread's side: takes jobs, tells how far it is, requests for uploaded files that it lacks, gives back what it made. */
import { parentPort, workerData } from 'node:worker_threads'
import type { FileSource } from '../maps/file-requests.ts'
import { createThreadFiles } from '../maps/thread-files.ts'
import type { StageTimes } from '../stage-runner.ts'
import { packRows, unpackRecords } from './chunk.ts'
import { runWork, type Work } from './jobs.ts'
import type { ProcessedRecord } from './processed.ts'
import {
  type FromThread,
  type Job,
  openProgress,
  type ToThread,
  type WorkerSetup,
} from './worker-messages.ts'

const { settings: first, progress: shared, mapCacheBytes } = workerData as WorkerSetup
let settings = first
const progress = openProgress(shared)
let answered: ((message: ToThread) => void) | undefined

const post = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transfer)

/** While somebody else looks for it the time does not count against the record. */
async function ask(question: FromThread): Promise<ToThread> {
  progress.enter('waiting')
  const answer = new Promise<ToThread>((resolve) => (answered = resolve))
  post(question)
  const message = await answer
  progress.enter('processing')
  if (message.kind === 'unavailable') throw new StoresUnavailable()
  return message
}

class StoresUnavailable extends Error {}

const source: FileSource = {
  async answer(requests) {
    const message = await ask({ kind: 'ask', requests })
    return message.kind === 'answers' ? message.answers : []
  },
  async read(file) {
    const message = await ask({ kind: 'read', file })
    if (message.kind !== 'bytes') throw new Error(`no bytes, but ${message.kind}`)
    return message.bytes
  },
}
const files = createThreadFiles(source, {
  maxBytes: mapCacheBytes,
  onReading: (isReading) => progress.enter(isReading ? 'reading' : 'processing'),
})

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'job') void run(message)
  else answered?.(message)
})

async function run(job: Job): Promise<void> {
  if (job.version !== undefined) files.setVersion(job.version)
  const times: StageTimes = new Map()
  try {
    const done = await runWork(workOf(job), job.version === undefined ? undefined : files, times, (item) =>
      progress.begin(item),
    )
    if (job.work !== 'records') return post({ kind: 'done', done, times })
    const { packed, buffer } = packRows(done as readonly ProcessedRecord[])
    post({ kind: 'done', done: packed, times }, [buffer])
    // Not left to the garbage collector: see `freeMemory`.
    job.bytes.transfer(0)
  } catch (error) {
    // Anything else ends the thread, and the item that was begun is looked at alone.
    if (!(error instanceof StoresUnavailable)) throw error
    files.release()
    post({ kind: 'given_up' })
  }
}

function workOf(job: Job): Work {
  if (job.work === 'stored') return { kind: 'stored', items: job.items }
  if (job.work === 'positions') return { kind: 'positions', items: job.items }
  settings = job.settings ?? settings
  return { kind: 'records', items: unpackRecords(job), settings }
}
