import { useNavigate } from '@sonde/router'
import { useEffect } from 'react'

/** Navigates by itself as soon as it runs, the way an app gets into a reload loop. */
export default function Restless() {
  const navigate = useNavigate()
  useEffect(() => void navigate('/restless?again'), [navigate])
  return (
    <main>
      <h1>Restless</h1>
    </main>
  )
}
