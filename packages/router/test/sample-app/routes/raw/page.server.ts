export function load() {
  return new Response('raw text', { headers: { 'content-type': 'text/plain' } })
}
