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
      <summary>Use Subresource Integrity</summary>
      <p className="muted">
        Browsers load the script only if it matches this hash. After a Sonde upgrade that changes the script,
        browsers block it until you update the value.
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
