import { Suspense } from 'react'
import { DeliveryClock } from '../clock'

export default function Page() {
  return (
    <Suspense fallback="wait">
      <DeliveryClock />
    </Suspense>
  )
}
