import { useEffect } from 'react'

/** Calls once React has taken over the page. Renders nothing. */
export function Hydrated({ run }: { readonly run: () => void }) {
  useEffect(run, [run])
  return null
}
