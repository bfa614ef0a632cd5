/** The few icons, drawn on a 16 × 16 grid. Always beside a word or inside something with a label, so hidden. */
const SHAPES = {
  check: 'M3.5 8.5l3 3 6-7',
  copy: 'M5.5 5.5v-2h7v7h-2M3.5 5.5h7v7h-7z',
  chevron: 'M6 4l4 4-4 4',
  previous: 'M10 4L6 8l4 4',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3L13.5 13.5',
  mute: 'M2.5 6.5h2.5L8 3.5v9L5 9.5H2.5zM10.5 6.5l3 3m0-3l-3 3',
  reopen: 'M3 8a5 5 0 1 1 1.5 3.5M3 12v-3h3',
  person: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3.5 13.5a4.5 4.5 0 0 1 9 0',
  down: 'M4 6l4 4 4-4',
  clock: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 5v3l2 1.5',
  layers: 'M8 2.5l5.5 3L8 8.5l-5.5-3zM2.5 8.5l5.5 3 5.5-3M2.5 11l5.5 3 5.5-3',
  close: 'M4 4l8 8M12 4l-8 8',
  bell: 'M4 11V7.5a4 4 0 0 1 8 0V11l1 1.5H3zM6.5 12.5a1.5 1.5 0 0 0 3 0',
  star: 'M8 2.5l1.7 3.6 3.8.5-2.8 2.7.7 3.9L8 11.3l-3.4 1.9.7-3.9L2.5 6.6l3.8-.5z',
  starred:
    'M8 2.5l1.7 3.6 3.8.5-2.8 2.7.7 3.9L8 11.3l-3.4 1.9.7-3.9L2.5 6.6l3.8-.5zM8 4v6M6 7h4M7 5.5h2M6.5 8.5h3',
  ringing:
    'M4 11V7.5a4 4 0 0 1 8 0V11l1 1.5H3zM6.5 12.5a1.5 1.5 0 0 0 3 0M1.5 7a6 6 0 0 1 2-4M14.5 7a6 6 0 0 0-2-4',
  external: 'M6.5 3.5h-3v9h9v-3M9 3.5h3.5V7M12.5 3.5L7.5 8.5',
} as const

export type IconName = keyof typeof SHAPES

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={SHAPES[name]} />
    </svg>
  )
}

/** The mark: a probe's signal. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <rect width="20" height="20" rx="4.5" />
      <path d="M3.5 11.5h3l2-6 3 9 2-5.5 1 2.5h2" />
    </svg>
  )
}
