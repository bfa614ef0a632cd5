/** Lengths of time as short as they can be read exactly enough: `0.4 ms`, `320 ms`, `2.5 s`, `3 min 20 s`. */
export function formatDuration(ms: number): string {
  if (ms < 0.95) return ms <= 0 ? '0 ms' : `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${ms < 9.95 ? trimmed(ms.toFixed(1)) : Math.round(ms)} ms`
  if (ms < 59_950) return `${trimmed((ms / 1000).toFixed(ms < 9_950 ? 2 : 1))} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** CLS has no unit; three digits decide between good and poor. */
export const formatShift = (value: number): string => trimmed(value.toFixed(3)) || '0'

const trimmed = (text: string): string => text.replace(/\.?0+$/, '')
