import { type ComponentType, useEffect, useState } from 'react'

type Props<Own> = {
  /** The same function each time. */
  readonly load: () => Promise<ComponentType<Own>>
  readonly part: Own
}

/** A part of the page whose code is fetched when it is first shown: what folds out when pressed costs no page anything. */
export function LoadedPart<Own extends object>({ load, part }: Props<Own>) {
  const [loaded, setLoaded] = useState<{ readonly Part?: ComponentType<Own> }>()
  useEffect(() => {
    let isGone = false
    const show = (Part?: ComponentType<Own>): void => {
      if (!isGone) setLoaded(Part ? { Part } : {})
    }
    load().then(show, () => show())
    return () => {
      isGone = true
    }
  }, [load])
  if (!loaded) return <p className="menu-note">Loading…</p>
  const { Part } = loaded
  return Part ? <Part {...part} /> : <p className="menu-note">Couldn’t load. Reload the page.</p>
}
