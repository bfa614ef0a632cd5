/** The work of the job `trackers` once, on the records named by the first argument; ends itself with `kill -9` after a step. */
import process from 'node:process'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { createOutgoing } from '@sonde/outgoing'
import { openRecords } from '@sonde/stores'
import { syncLinks } from '../../src/trackers/sync-links.ts'

const [, , file = '', killAfter = ''] = process.argv
const { db: records, close } = await openRecords({ file }, { logger })
const outgoing = createOutgoing({ allowed: ['127.0.0.0/8'], userAgent: 'Sonde/test' })
const seal = { seal: async (text: string) => text, open: async (text: string) => text }
const afterStep = (step: string): void => {
  if (step === killAfter) process.kill(process.pid, 'SIGKILL')
}
const deps = {
  records,
  clock,
  logger,
  publicUrl: 'https://sonde.test',
  trackers: { outgoing, seal },
  afterStep,
}
while ((await syncLinks(deps, new AbortController().signal)) > 0);
await outgoing.close()
await close()
