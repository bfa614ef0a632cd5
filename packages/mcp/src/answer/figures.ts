/** Numbers and times as answers have them. */

/** `2026-11-28 20:15 UTC` */
export const timeText = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** `840 ms`, `2.41 s` */
export const msText = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`

export const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`

export const whole = (count: number): string => Math.round(count).toLocaleString('en-US')

/** `1 event`, `2 events` */
export const counted = (count: number, one: string): string =>
  `${whole(count)} ${one}${count === 1 ? '' : 's'}`
