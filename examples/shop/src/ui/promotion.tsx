/** On purpose: comes late and pushes everything down, as banners without a reserved place do. */
import { useEffect, useState } from 'react'

export function Promotion() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 900)
    return () => clearTimeout(timer)
  }, [])
  if (!isShown) return null
  return (
    <aside className="promotion">
      <strong>Free delivery this week</strong>
      <span>on everything that pours, drips or grinds.</span>
    </aside>
  )
}
