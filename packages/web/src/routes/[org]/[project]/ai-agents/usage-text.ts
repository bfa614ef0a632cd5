/** Cost as text: SDKs send US dollars, and prices are entered in whatever people pay in, so no currency is named. */
export function costText(cost: number): string {
  const digits = cost >= 100 ? 0 : cost >= 1 ? 2 : 4
  return `cost ${cost.toLocaleString('en-US', { minimumFractionDigits: Math.min(2, digits), maximumFractionDigits: digits })}`
}
