import { shelfOf } from './shelf.ts'

export function reserve(sku: string, amount: number): string {
  const shelf = shelfOf(sku)
  return `${amount} of ${sku} from ${shelf}`
}
