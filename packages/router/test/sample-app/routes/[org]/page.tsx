import { type DataOf, usePageData } from '@sonde/router'
import type { load } from './page.server.ts'

export default function Org() {
  const { org, at } = usePageData<typeof load>()
  return (
    <main>
      <h1>Organization {org}</h1>
      <time dateTime={at}>{at.slice(0, 4)}</time>
    </main>
  )
}

export function title(data: DataOf<typeof load>) {
  return `Organization ${data.org}`
}
