export function ensurePython(): string
export function ensureGo(): string
