import { Suspense, use, useState } from 'react'

const soon = (async () => {
  if (typeof window === 'undefined') await new Promise((resolve) => setImmediate(resolve))
})()

export default function FailsLate() {
  return (
    <main>
      <h1>The shell</h1>
      <Suspense fallback={<p>loading</p>}>
        <Late />
      </Suspense>
    </main>
  )
}

function Late() {
  use(soon)
  if (typeof window === 'undefined') throw new Error('secret detail after the shell')
  return (
    <>
      <p id="late">rendered in the browser</p>
      <Breakable />
    </>
  )
}

function Breakable() {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) throw new Error('only in the browser')
  return (
    <button type="button" onClick={() => setBroken(true)}>
      break
    </button>
  )
}
