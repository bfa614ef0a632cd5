import { usePageData } from '@sonde/router'
import type { load } from './page.server.ts'

export default function Static() {
  return (
    <main>
      <h1>Static {usePageData<typeof load>().n}</h1>
    </main>
  )
}
