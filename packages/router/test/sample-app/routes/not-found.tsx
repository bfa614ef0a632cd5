export default function NotFound({ status }: { status?: number }) {
  return (
    <main>
      <h1>Nothing here ({status})</h1>
    </main>
  )
}
