import { paths } from '../../../paths.ts'
import type { OperatorBackupPlace } from '../../../server/operator-backups.ts'
import { Snippet } from '../../../ui/copy-button.tsx'
import { Section } from '../../../ui/section.tsx'
import { UserText } from '../../../ui/user-text.tsx'

const LINES = `SONDE_BACKUP_TO=/mnt/backups
SONDE_BACKUP_KEY_FILE=/etc/sonde/backup.key`

type Props = { readonly place: Exclude<OperatorBackupPlace, { readonly kind: 'set' }> }

/** Instead of the list: where backups go is said by whoever runs the machine, not in a browser. */
export function SetUp({ place }: Props) {
  return (
    <Section id="set-up" title="Set up backups">
      {place.kind === 'refused' ? (
        <p className="backup-alert" role="alert">
          SONDE_BACKUP_TO cannot be used: <UserText text={place.trouble} />
        </p>
      ) : (
        <p>
          No place for backups is set. It cannot be set here: a page that writes to any path of the server
          would let whoever takes over an account read and overwrite files.
        </p>
      )}
      <ol className="backup-steps">
        <li>
          <p>Make a key, and keep a copy of it elsewhere: without it nobody can restore the backups.</p>
          <Snippet what="Make a key" code="sonde backup key --out /etc/sonde/backup.key" />
        </li>
        <li>
          <p>
            Set these where the other settings of Sonde are. The folder is on another disk than the data; a
            bucket is <code>s3://BUCKET/PREFIX?endpoint=https://HOST&amp;region=REGION</code>.
          </p>
          <Snippet what="Settings" code={LINES} />
        </li>
        <li>
          <p>
            Restart Sonde, and come back here. The{' '}
            <a className="text-link" href={paths.docs('operate/backup')}>
              documentation
            </a>{' '}
            has the details.
          </p>
        </li>
      </ol>
    </Section>
  )
}
