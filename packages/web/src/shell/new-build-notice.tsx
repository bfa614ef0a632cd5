import { useNewBuild } from '@sonde/router'

/** This tab's code is older than the server's: pages load whole until it is renewed. */
export function NewBuildNotice() {
  const isNew = useNewBuild()
  if (!isNew) return null
  return (
    <p className="notice" role="status">
      A new version of Sonde is available.{' '}
      <button type="button" className="link-button" onClick={() => window.location.reload()}>
        Reload
      </button>
    </p>
  )
}
