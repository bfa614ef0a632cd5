/**
 * Masks all texts or all inputs of a recording, if the project asks for it, whatever the SDK was set to. It needs no
 * selectors: each text and each value is masked, wherever it stands. docs/replay.md
 */
import { isObject, type RawObject } from '../normalize/read-fields.ts'
import type { ScrubSettings } from '../scrub/settings.ts'
import type { RecordedEvent } from './read-recording.ts'

/** As the cleaning's: what lies deeper was left out. */
const MAX_DEPTH = 600
const FULL_SNAPSHOT = 2
const INCREMENTAL = 3
const CUSTOM = 5
const MUTATION = 0
const INPUT = 5
const TEXT_NODE = 3
const FIELDS: ReadonlySet<string> = new Set(['input', 'textarea', 'select', 'option'])
/** Of buttons the value is their text. */
const BUTTONS: ReadonlySet<unknown> = new Set(['submit', 'button', 'reset'])
const TEXT_ATTRIBUTES = ['title', 'placeholder', 'aria-label', 'alt', 'label', 'srcdoc'] as const

type Masks = { readonly texts: boolean; readonly inputs: boolean }

export function maskRecording(
  events: readonly RecordedEvent[],
  settings: ScrubSettings,
): readonly RecordedEvent[] {
  const masks = { texts: settings.maskReplayTexts === true, inputs: settings.maskReplayInputs === true }
  return masks.texts || masks.inputs ? events.map((event) => masked(event, masks)) : events
}

function masked(event: RecordedEvent, masks: Masks): RecordedEvent {
  const { type, data } = event
  if (!isObject(data)) return event
  if (type === FULL_SNAPSHOT) return { ...event, data: { ...data, node: nodeOf(data.node, masks, '', 0) } }
  if (type === CUSTOM) return masks.texts ? { ...event, data: withoutNodeText(data) } : event
  if (type !== INCREMENTAL) return event
  if (data.source === INPUT)
    return masks.inputs && typeof data.text === 'string'
      ? { ...event, data: { ...data, text: stars(data.text) } }
      : event
  if (data.source !== MUTATION) return event
  return {
    ...event,
    data: {
      ...data,
      // Whose text it is, a change does not say: a text area's is a text as well.
      texts: listOf(data.texts, (change) =>
        typeof change.value === 'string' ? { ...change, value: stars(change.value) } : change,
      ),
      attributes: listOf(data.attributes, (change) => ({
        ...change,
        attributes: attributesOf(change.attributes, masks, undefined),
      })),
      adds: listOf(data.adds, (add) => ({ ...add, node: nodeOf(add.node, masks, '', 0) })),
    },
  }
}

const listOf = (raw: unknown, change: (each: RawObject) => unknown): unknown =>
  Array.isArray(raw) ? raw.map((each: unknown) => (isObject(each) ? change(each) : each)) : raw

function nodeOf(raw: unknown, masks: Masks, parent: string, depth: number): unknown {
  if (!isObject(raw) || depth > MAX_DEPTH) return raw
  const tag = typeof raw.tagName === 'string' ? raw.tagName.toLowerCase() : ''
  const copy: Record<string, unknown> = { ...raw }
  if (
    raw.type === TEXT_NODE &&
    typeof raw.textContent === 'string' &&
    raw.isStyle !== true &&
    parent !== 'style'
  ) {
    const isField = FIELDS.has(parent)
    if (isField ? masks.inputs || masks.texts : masks.texts) copy['textContent'] = stars(raw.textContent)
  }
  if ('attributes' in raw) copy['attributes'] = attributesOf(raw.attributes, masks, tag)
  if (Array.isArray(raw.childNodes))
    copy['childNodes'] = raw.childNodes.map((child: unknown) => nodeOf(child, masks, tag, depth + 1))
  return copy
}

/** `tag` undefined: of a change, which does not say whose they are. */
function attributesOf(raw: unknown, masks: Masks, tag: string | undefined): unknown {
  if (!isObject(raw)) return raw
  const copy: Record<string, unknown> = { ...raw }
  if (masks.texts)
    for (const name of TEXT_ATTRIBUTES) if (typeof copy[name] === 'string') copy[name] = stars(copy[name])
  const { value } = raw
  if (typeof value === 'string' && (tag === undefined || FIELDS.has(tag))) {
    const isButton = BUTTONS.has(raw.type)
    if (isButton ? masks.texts : masks.inputs) copy['value'] = stars(value)
  }
  return copy
}

/** The SDK writes the text of what was clicked into its breadcrumbs. */
function withoutNodeText(data: RawObject): RawObject {
  const payload = isObject(data.payload) ? data.payload : {}
  const inner = isObject(payload.data) ? payload.data : {}
  const { node } = inner
  if (!isObject(node) || typeof node.textContent !== 'string') return data
  const shown = { ...node, textContent: stars(node.textContent) }
  return { ...data, payload: { ...payload, data: { ...inner, node: shown } } }
}

/** As the SDK masks: blanks stay, so that lines break where they did. */
const stars = (text: string): string => text.replace(/\S/g, '*')
