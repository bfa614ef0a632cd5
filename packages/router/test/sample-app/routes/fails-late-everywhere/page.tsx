import { Suspense, use } from 'react'

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

function Late(): never {
  use(soon)
  throw new Error('secret detail after the shell')
}
