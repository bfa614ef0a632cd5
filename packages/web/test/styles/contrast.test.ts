/** WCAG 2.2 contrast (1.4.3, 1.4.11) of the colours that screens combine, in both themes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const css = readFileSync(join(import.meta.dirname, '..', '..', 'src', 'styles', 'tokens.css'), 'utf8')
const [lightCss = '', systemDarkCss = '', darkCss = ''] = css.split(
  /@media \(prefers-color-scheme: dark\)|:root\[data-theme='dark'\]/,
)
const colours = (text: string) =>
  new Map(
    [...text.matchAll(/--([a-z0-9-]+):\s*(#[0-9a-f]{6})/g)].map(([, name = '', hex = '']) => [name, hex]),
  )
const LIGHT = colours(lightCss)
const THEMES = { light: LIGHT, dark: new Map([...LIGHT, ...colours(darkCss)]) }

const TEXTS = [
  'ink',
  'ink-2',
  'ink-3',
  'accent',
  'level-fatal',
  'level-error',
  'level-warning',
  'level-info',
  'level-debug',
]
const GROUNDS = ['paper', 'sunk', 'hover', 'raised']
const PAIRS: readonly (readonly [string, string])[] = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
  ['on-accent', 'accent'],
  ['accent', 'accent-soft'],
  ['good', 'good-soft'],
  ['bad', 'bad-soft'],
  ['attention', 'attention-soft'],
  ['ink', 'code-current'],
  // Comments, strings, numbers and keywords in code.
  ...['ink-3', 'good', 'attention', 'accent'].flatMap((token) =>
    ['sunk', 'code-current'].map((ground) => [token, ground] as const),
  ),
]
/** Edges of controls and the focus ring: parts that have to be seen, not read. */
const EDGES = ['edge', 'focus'].flatMap((edge) => GROUNDS.map((ground) => [edge, ground] as const))

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

for (const [theme, values] of Object.entries(THEMES)) {
  const least = (pairs: readonly (readonly [string, string])[], needed: number): string[] =>
    pairs.flatMap(([front, back]) => {
      const [a, b] = [values.get(front), values.get(back)]
      if (!a || !b) return [`--${front} or --${back} is not in tokens.css`]
      const ratio = contrast(a, b)
      return ratio >= needed ? [] : [`--${front} on --${back}: ${ratio.toFixed(2)}`]
    })
  test(`${theme}: text has a contrast of at least 4.5 wherever it stands`, () => {
    assert.deepEqual(least(PAIRS, 4.5), [])
  })
  test(`${theme}: edges of controls and the focus ring have a contrast of at least 3`, () => {
    assert.deepEqual(least(EDGES, 3), [])
  })
}

const AVATARS = readFileSync(join(import.meta.dirname, '..', '..', 'src', 'styles', 'avatar.css'), 'utf8')

test('initials have a contrast of at least 4.5 on every colour of an avatar, in both themes', () => {
  const [, share = '', text = ''] =
    /color-mix\(in srgb, var\(--avatar-hue\) (\d+)%, var\(--paper\)\);\s*color: var\(--([a-z-]+)\)/.exec(
      AVATARS,
    ) ?? []
  const hues = [...new Set([...AVATARS.matchAll(/var\(--(hue-\d)\)/g)].map(([, name = '']) => name))]
  assert.equal(hues.length, 6)
  for (const [theme, values] of Object.entries(THEMES))
    for (const hue of hues) {
      const ground = mixed(values.get(hue) ?? '', values.get('paper') ?? '', Number(share) / 100)
      const ratio = contrast(values.get(text) ?? '', ground)
      assert.ok(ratio >= 4.5, `${theme} ${hue}: ${ratio.toFixed(2)}`)
    }
})

/** `color-mix(in srgb, front share, back)`. */
function mixed(front: string, back: string, share: number): string {
  const part = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16)
  return `#${[1, 3, 5]
    .map((at) =>
      Math.round(part(front, at) * share + part(back, at) * (1 - share))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

test('dark is the same whether the system or the reader asks for it', () => {
  const values = (text: string) => text.match(/--[a-z0-9-]+:[^;]+;/g)
  assert.deepEqual(values(darkCss), values(systemDarkCss))
  assert.ok(colours(darkCss).size > 20)
})

test('the measure is the one of the standard', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})
