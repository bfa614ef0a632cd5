export function ensureStockTools(): string
export function ensureInspector(): string
