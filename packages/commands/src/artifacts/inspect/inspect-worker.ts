/** The thread of `createMapInspector`: bytes in, facts out. */
import { parentPort } from 'node:worker_threads'
import { mapFacts } from './map-facts.ts'

const port = parentPort
if (!port) throw new Error('this file runs as a worker thread')

port.on('message', (bytes: Uint8Array) => port.postMessage(mapFacts(bytes), []))
