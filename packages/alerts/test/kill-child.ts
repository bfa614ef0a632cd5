/** The work of the role `alerts` once, on the records named by the first argument; ends itself with `kill -9` after a step. */
import process from 'node:process'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { createOutgoing } from '@sonde/outgoing'
import { openRecords, type Telemetry } from '@sonde/stores'
import { createPusher } from '../src/index.ts'
import { evaluateChanges } from '../src/issues/evaluate-changes.ts'
import { deliverDue } from '../src/outbox/deliver.ts'

const [, , file = '', killAfter = ''] = process.argv
const { db: records, close } = await openRecords({ file }, { logger })
const outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
const seal = { seal: async (text: string) => text, open: async (text: string) => text }
// Rules without a search ask telemetry nothing.
const telemetry = undefined as unknown as Telemetry
const common = { records, telemetry, clock, logger, publicUrl: 'https://sonde.test', mailer: undefined }
const end = (step: string): void => {
  if (step === killAfter) process.kill(process.pid, 'SIGKILL')
}
while ((await evaluateChanges(common)) > 0) end('evaluated')
const pusher = createPusher({ records, seal, outgoing, publicUrl: common.publicUrl })
const delivery = { ...common, channels: { outgoing, seal }, pusher, afterStep: end }
while ((await deliverDue(delivery, new AbortController().signal)) > 0);
await outgoing.close()
await close()
