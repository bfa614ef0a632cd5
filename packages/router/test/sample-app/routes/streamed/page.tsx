import { Suspense, use } from 'react'

/** Server rendering waits for it; a test opens it. */
declare global {
  var streamedGate: Promise<void> | undefined
}

export default function Streamed() {
  return (
    <main>
      <h1>The shell</h1>
      <Suspense fallback={<p id="waiting">waiting</p>}>
        <Rest />
      </Suspense>
    </main>
  )
}

function Rest() {
  if (typeof window === 'undefined' && globalThis.streamedGate) use(globalThis.streamedGate)
  return <p id="rest">the rest</p>
}
