/** The command line asks the back for a backup, and then how far it came: a large one takes longer than a request should. */
import { SondeError } from '@sonde/base'
import type { BackupTarget } from '../backup/backup-messages.ts'
import type { BackupRunner, RunningBackup } from '../backup/backup-runner.ts'
import type { BackupSummary } from '../backup/manifest.ts'
import { type ErrorAnswer, errorAnswer } from '../internal/error-text.ts'
import type { InternalRoute } from './internal-routes.ts'

/** Of the one that was asked for last over this socket. */
export type BackupAnswer =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly running: RunningBackup | undefined }
  | { readonly state: 'done'; readonly summary: BackupSummary }
  | { readonly state: 'failed'; readonly error: ErrorAnswer }

const JSON_TYPE = 'application/json'

/** `runner` undefined: this start cannot make one. */
export function backupRoutes(runner: BackupRunner | undefined): readonly InternalRoute[] {
  let last: BackupAnswer = { state: 'none' }
  return [
    {
      method: 'POST',
      path: '/-/backup/create',
      contentType: JSON_TYPE,
      async answer(body) {
        if (!runner) throw onServers()
        const before = runner.running()
        const made = runner.run(JSON.parse(body) as BackupTarget)
        // What cannot begin is refused at once.
        if (before) await made
        last = { state: 'running', running: undefined }
        made.then(
          (summary) => (last = { state: 'done', summary }),
          (error: unknown) => (last = { state: 'failed', error: errorAnswer(error) }),
        )
        return JSON.stringify({})
      },
    },
    {
      method: 'GET',
      path: '/-/backup/state',
      contentType: JSON_TYPE,
      answer: async () =>
        JSON.stringify(last.state === 'running' ? { ...last, running: runner?.running() } : last),
    },
  ]
}

export const onServers = (): SondeError =>
  new SondeError('config', 'this Sonde keeps data on servers, which have backups of their own', {
    operation: 'back up',
    hint: 'docs/operate/backup.md says with which commands, and in which order',
  })
