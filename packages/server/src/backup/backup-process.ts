/** The process that copies: reading, compressing and encrypting would hold up everybody else in the one that has the stores open. */
import { setPriority } from 'node:os'
import { silentLogger } from '@sonde/base'
import { errorAnswer } from '../internal/error-text.ts'
import type { CreateJob, FromCopier, ToCopier, VerifyJob } from './backup-messages.ts'
import { copyBackup } from './copy-backup.ts'
import type { BackupProgress } from './manifest.ts'
import { findBackup, openTarget } from './open-target.ts'

const NICE = 10
const send = (message: FromCopier): void => void process.send?.(message)

process.umask(0o077)
// Whoever asked for it is gone: nothing is left but what the next backup removes.
process.on('disconnect', () => process.exit(1))
// Of a terminal it goes to all: the one who asked decides.
process.on('SIGINT', () => undefined)
try {
  setPriority(NICE)
} catch {
  // Not everywhere allowed, and not needed.
}

/** Messages come in the order of the calls. */
const waiting: ((message: ToCopier) => void)[] = []
const early: ToCopier[] = []
process.on('message', (message: ToCopier) => {
  const first = waiting.shift()
  if (first) first(message)
  else early.push(message)
})
const next = async (): Promise<ToCopier> =>
  early.shift() ?? (await new Promise<ToCopier>((resolve) => waiting.push(resolve)))

async function receive<Kind extends ToCopier['kind']>(
  kind: Kind,
): Promise<Extract<ToCopier, { kind: Kind }>> {
  const message = await next()
  if (message.kind !== kind) throw new Error(`${message.kind} came instead of ${kind}`)
  return message as Extract<ToCopier, { kind: Kind }>
}

const onProgress = (progress: BackupProgress): void => send({ kind: 'progress', progress })

async function create(job: CreateJob): Promise<void> {
  const summary = await copyBackup(job, {
    async ready() {
      send({ kind: 'ready' })
      await receive('pin')
    },
    async pinned() {
      send({ kind: 'pinned' })
      return receive('copy')
    },
    linked: () => send({ kind: 'linked' }),
    progress: onProgress,
  })
  send({ kind: 'done', summary })
}

/** Loads the engines, which a process that copies does not need. */
async function verify({ target, id, ...options }: VerifyJob): Promise<void> {
  const { verifyBackup } = await import('./verify-backup.ts')
  const repository = await openTarget(target)
  const summary = await findBackup(repository, id)
  const logger = silentLogger
  const verified = await verifyBackup({ ...options, repository, summary, logger, onProgress })
  send({ kind: 'verified', verified })
}

try {
  const job = await next()
  if (job.kind === 'create') await create(job)
  else if (job.kind === 'verify') await verify(job)
  else throw new Error(`${job.kind} is no job`)
} catch (error) {
  send({ kind: 'failed', error: errorAnswer(error) })
} finally {
  process.removeAllListeners('disconnect')
  process.disconnect?.()
}
