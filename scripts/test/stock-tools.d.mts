export function ensureStockTools(): string
