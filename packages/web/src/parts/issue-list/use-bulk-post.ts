import { useLocation, usePost } from '@sonde/router'
import { useState } from 'react'

/** Posts to the list that is shown, search and all. */
export function useBulkPost() {
  const post = usePost()
  const { pathname, search } = useLocation()
  const [hasFailed, setFailed] = useState(false)
  const send = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    setFailed(false)
    const outcome = await post(pathname + search, fields)
    if (outcome === 'failed') setFailed(true)
    // Nothing was done; the new build's page asks again.
    if (outcome === 'other-build') window.location.reload()
  }
  return { send, hasFailed }
}
