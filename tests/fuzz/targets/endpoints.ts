/**
 * Requests over real sockets to the ingest endpoints of this process, with a real log behind them; what they let in is
 * processed. The same endpoints as in `live`, at a hundred times its rate.
 */
import assert from 'node:assert/strict'
import type { Logger } from '@sonde/base'
import { silentLogger } from '@sonde/base'
import { decodeIntakeRecord, type LogWriter } from '@sonde/log'
import { DEFAULT_PROCESSING_SETTINGS } from '@sonde/pipeline'
import { startIngest } from '../../../packages/ingest/test/support/start-ingest.ts'
import { processRecord } from '../../../packages/pipeline/src/process/process-record.ts'
import type { OpenTarget, Target } from '../engine/target.ts'
import { mutateHttp } from '../mutators/http.ts'
import { checkProcessed } from './process.ts'
import { type RawAnswer, rawRequest } from './raw-request.ts'
import { doorSeeds } from './requests.ts'
import { DOOR_WORDS } from './words.ts'

const PATIENCE_MS = 10_000
const NEVER: readonly number[] = [500, 501, 502, 504]

export const endpoints: Target = {
  name: 'endpoints',
  seeds: doorSeeds,
  mutate: mutateHttp(DOOR_WORDS),
  words: DOOR_WORDS,
  open,
}

async function open(): Promise<OpenTarget> {
  const faults: string[] = []
  const records: Uint8Array[] = []
  const server = await startIngest({
    logger: recordingLogger(faults),
    wrapLog: (log) => recordingLog(log, records),
  })
  return {
    async run(input) {
      const send = (): Promise<RawAnswer | undefined> => rawRequest(server.port, input, PATIENCE_MS)
      // On a busy machine the first may be late; what is never answered is not answered twice.
      const answer = (await send()) ?? (await send())
      assert.ok(answer, `no answer within ${PATIENCE_MS} ms`)
      const [fault] = faults.splice(0)
      assert.equal(fault, undefined, `an endpoint failed: ${fault}`)
      assert.ok(!NEVER.includes(answer.status), `the answer was ${answer.text.slice(0, 300)}`)
      for (const bytes of records.splice(0)) check(bytes)
    },
    close: () => server.close(),
  }
}

function check(bytes: Uint8Array): void {
  const { meta } = decodeIntakeRecord(bytes)
  if (meta.kind === 'envelope')
    checkProcessed(processRecord({ position: 1, next: 2, bytes }, DEFAULT_PROCESSING_SETTINGS))
  else for (const { quantity, category } of meta.outcomes) assert.ok(quantity > 0 && category !== '')
}

/** The real log, and what went into it. */
function recordingLog(log: LogWriter, records: Uint8Array[]): LogWriter {
  return {
    ...log,
    append(bytes, more) {
      records.push(Buffer.concat(more === undefined ? [bytes] : [bytes, more]))
      return log.append(bytes, more)
    },
  }
}

function recordingLogger(faults: string[]): Logger {
  return Object.assign(Object.create(silentLogger) as Logger, {
    error: (fields: { err?: unknown }, message: string) => {
      const { err } = fields
      faults.push(`${message}: ${err instanceof Error ? err.stack : JSON.stringify(fields)}`)
    },
  })
}
