/** What the address of the screen says. */
export const UNREADABLE_PERIODS = ['7d', '30d'] as const

export type UploadSearch = {
  /** The one whose files are shown; undefined: all uploads. */
  readonly upload: number | undefined
  /** What files of the upload are searched by. */
  readonly file: string
  /** What uploads are searched by. */
  readonly q: string
  readonly cursor: string
  readonly period: (typeof UNREADABLE_PERIODS)[number]
}

export function readUploadSearch(params: URLSearchParams): UploadSearch {
  const upload = params.get('upload') ?? ''
  const text = (name: string): string => (params.get(name) ?? '').trim().slice(0, 200)
  return {
    upload: /^\d{1,15}$/.test(upload) ? Number(upload) : undefined,
    file: text('file'),
    q: text('q'),
    cursor: params.get('cursor') ?? '',
    period: params.get('statsPeriod') === '30d' ? '30d' : '7d',
  }
}
