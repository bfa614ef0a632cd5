/** The mail of status pages once, on the records named by the first argument; ends itself with `kill -9` after a step. */
import process from 'node:process'
import { silentLogger as logger, systemClock } from '@sonde/base'
import { openRecords } from '@sonde/stores'
import { createMailer } from '../src/index.ts'
import { queueStatusMail } from '../src/status/queue-mail.ts'
import { sendStatusMail } from '../src/status/send-mail.ts'

const [, , file = '', url = '', killAfter = '', laterMs = '0'] = process.argv
// What the process before left is due by now.
const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + Number(laterMs) }
const { db: records, close } = await openRecords({ file }, { logger })
const seal = { seal: async (text: string) => text, open: async (text: string) => text }
const publicUrl = 'https://sonde.test'
const mailer = createMailer({ url, from: 'Sonde <sonde@sonde.test>', publicUrl })
const deps = { atOnce: 20, records, clock, logger, publicUrl, channels: { seal }, mailer }
const end = (step: string): void => {
  if (step === killAfter) process.kill(process.pid, 'SIGKILL')
}
while (await queueStatusMail(deps)) end('queued')
while ((await sendStatusMail({ ...deps, afterStep: end }, new AbortController().signal)) > 0);
await mailer.close()
await close()
