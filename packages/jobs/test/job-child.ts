/** Another process that takes the lease of the job in the records that its argument names, and works until it is killed. */
import process from 'node:process'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { startJob } from '@sonde/jobs'
import { openRecords } from '@sonde/stores'

const [, , place = '', leaseMs = ''] = process.argv
const { db: records } = await openRecords(JSON.parse(place), { logger })
startJob(
  { records, clock, logger, leaseMs: Number(leaseMs) },
  {
    name: 'test',
    lookEveryMs: 60_000,
    async run() {
      process.send?.('working')
      await new Promise(() => undefined)
      return 'done'
    },
  },
)
// A loop does not keep a process alive.
setInterval(() => undefined, 60_000)
