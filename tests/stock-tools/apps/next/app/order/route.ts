import { shelfOf } from './shelf'

export const dynamic = 'force-dynamic'

export function GET(request: Request): Response {
  const sku = new URL(request.url).searchParams.get('sku') ?? ''
  return Response.json({ shelf: shelfOf(sku) })
}
