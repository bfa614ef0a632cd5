import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useLive } from '../issue-list/use-live.ts'
import { SetupSteps } from './setup-steps.tsx'

type Props = {
  readonly place: { readonly org: string; readonly project: string }
  readonly platform: string
  readonly dsn?: string | undefined
  /** Whether this person may send a sample. */
  readonly mayTest: boolean
}

/** A project that never received anything: what to do, with its own DSN. Turns into the screen by itself. */
export function WaitingForEvents({ place, platform, dsn, mayTest }: Props) {
  useLive(place, true)
  return (
    <div className="page page-narrow waiting">
      <h1>Waiting for the first event</h1>
      <p className="waiting-state" role="status">
        <span className="pulse" aria-hidden="true" /> This page updates automatically.
      </p>
      {dsn === undefined ? (
        <p>All client keys of this project are disabled: nothing can be sent until one is enabled.</p>
      ) : (
        <>
          <div className="dsn dsn-large">
            <span className="dsn-label">DSN</span>
            <code>{dsn}</code>
            <CopyButton text={dsn} what="DSN" />
          </div>
          <SetupSteps platform={platform} dsn={dsn} mayTest={mayTest} />
          <p>
            Nothing arrives? The{' '}
            <a className="text-link" href={paths.docs('troubleshooting#no-events-arrive')}>
              documentation
            </a>{' '}
            says where to look.
          </p>
        </>
      )}
    </div>
  )
}
