export default function Redirecting() {
  return <h1>This is never seen</h1>
}
