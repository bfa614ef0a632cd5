import { usePageData } from '@sonde/router'
import { useState } from 'react'
import type { load } from './page.server.ts'

export default function Counter() {
  const { text, loads } = usePageData<typeof load>()
  const [count, setCount] = useState(0)
  return (
    <main>
      <h1>Counter</h1>
      <button type="button" id="count" onClick={() => setCount(count + 1)}>
        {count}
      </button>
      <p id="text">{text}</p>
      <p id="loads">{loads}</p>
    </main>
  )
}

export function title() {
  return 'Counter'
}
