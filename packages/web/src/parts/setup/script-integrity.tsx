/** The `integrity` value of the script that this Sonde serves now, for pages that pin what they load. */
import { useEffect, useState } from 'react'
import { Snippet } from '../../ui/snippet.tsx'

export function ScriptIntegrity() {
  const [value, setValue] = useState<string>()
  useEffect(() => {
    const gone = new AbortController()
    // Only secure contexts can hash; elsewhere the line is left out.
    readIntegrity(gone.signal).then(setValue, () => undefined)
    return () => gone.abort()
  }, [])
  if (value === undefined) return null
  return (
    <details>
      <summary>Pin it with integrity</summary>
      <p className="muted">
        The browser then loads exactly this script. After an upgrade of Sonde that changes it, it is refused
        until you paste the new value.
      </p>
      <Snippet code={`integrity="${value}"`} what="integrity attribute" />
    </details>
  )
}

async function readIntegrity(signal: AbortSignal): Promise<string> {
  const answer = await fetch('/sonde.js', { signal })
  if (!answer.ok) throw new Error(`/sonde.js answered ${answer.status}`)
  const hash = await crypto.subtle.digest('SHA-384', await answer.arrayBuffer())
  return `sha384-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`
}
