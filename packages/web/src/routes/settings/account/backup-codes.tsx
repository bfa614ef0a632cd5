import { Link } from '@sonde/router'
import { paths } from '../../../paths.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { focusOnce } from './focus-once.ts'

/** Alone on the page: they are shown this once, and nothing else matters now. */
export function BackupCodes({ codes }: { readonly codes: readonly string[] }) {
  const text = `${codes.join('\n')}\n`
  return (
    <>
      <div className="page-head">
        <h1 tabIndex={-1} ref={focusOnce}>
          Your backup codes
        </h1>
      </div>
      <p className="saved-notice" role="status">
        Two-factor sign-in is on.
      </p>
      <p>
        Save these codes somewhere safe, such as a password manager or on paper. Each code works once in place
        of a code from the app. They won’t be shown again.
      </p>
      <ul className="backup-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="settings-line">
        <CopyButton text={text} what="all codes" label="Copy all" />
        <a
          className="button button-small"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Sonde backup codes\n${text}`)}`}
          download="sonde-backup-codes.txt"
        >
          Download
        </a>
        <Link className="button button-small button-primary" to={paths.account()}>
          I’ve saved these codes
        </Link>
      </div>
    </>
  )
}
