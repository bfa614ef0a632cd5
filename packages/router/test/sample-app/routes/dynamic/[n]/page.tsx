import { usePageData } from '@sonde/router'
import type { load } from './page.server.ts'

export default function Dynamic() {
  return (
    <main>
      <h1>Dynamic {usePageData<typeof load>().n}</h1>
    </main>
  )
}
