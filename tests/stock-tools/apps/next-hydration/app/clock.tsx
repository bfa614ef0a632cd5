'use client'

import { useState } from 'react'

/** What a server in Berlin and a browser in Lisbon make of the same moment. */
export function DeliveryClock({ differs = true }: { readonly differs?: boolean }) {
  const [count, setCount] = useState(0)
  const isServer = typeof window === 'undefined'
  return (
    <main>
      <time>{differs && isServer ? '12:04 in Berlin' : '6:04:31 PM in Lisbon'}</time>
      <button type="button" onClick={() => setCount(count + 1)}>
        bought {count} times
      </button>
    </main>
  )
}
