export default function FailsInBrowser() {
  if (typeof window !== 'undefined') throw new Error('only in the browser')
  return <h1>Rendered on the server</h1>
}
