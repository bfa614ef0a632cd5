export default function Slow() {
  return (
    <main>
      <h1>Slow page</h1>
    </main>
  )
}
