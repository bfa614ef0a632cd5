/** The one page that is rendered on the server too. On purpose it shows a time, which is another one in the browser. */
import { useState } from 'react'

export function Opening() {
  return (
    <main id="main" className="opening">
      <p>
        <a href="/">Kettle &amp; Crane</a>
      </p>
      <h1>The shop at the harbour</h1>
      <p className="lead">Open every day from 9 to 18. Come in, the kettle is on.</p>
      <LocalTime />
      <Visit />
    </main>
  )
}

/** On purpose: zone and language of the server here, of the visitor there. */
function LocalTime() {
  // oxlint-disable-next-line react/purity -- the mistake that this page is about
  const now = new Date().toLocaleTimeString()
  return (
    <p>
      It is <time>{now}</time> at the harbour.
    </p>
  )
}

/** Pressed before the page is hydrated, nothing happens. */
function Visit() {
  const [isAnnounced, setAnnounced] = useState(false)
  return (
    <button className="buy" onClick={() => setAnnounced(true)}>
      {isAnnounced ? 'See you soon' : 'I will come by'}
    </button>
  )
}
