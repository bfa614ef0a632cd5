/** `/api/orders/3f2a…/items/17?page=2` → `/api/orders/[id]/items/[id]`: requests that differ by values only. */
export function endpointOf(url: string): string {
  const { origin, host, pathname } = new URL(url, location.href)
  // A segment is a value when it holds a digit and is a number, long, or hexadecimal; `v2` is none.
  const path = pathname.replace(/\/(?=[^/]*\d)(?:\d+|[\da-f-]{8,}|[^/]{20,}|[^/.]*@[^/]*)(?=\/|$)/gi, '/[id]')
  return (origin === location.origin ? '' : host) + path
}
