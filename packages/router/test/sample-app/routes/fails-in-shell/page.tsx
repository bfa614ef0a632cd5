export default function FailsInShell() {
  if (typeof window === 'undefined') throw new Error('secret detail of the shell')
  return (
    <main>
      <h1>Rendered in the browser</h1>
    </main>
  )
}
