/**
 * A person at the screens whose browser runs no scripts, by `fetch`: reads the HTML as it came, follows its links, fills
 * and posts its forms. A tenth of what Chromium costs; a few flows have Chromium without JavaScript all the same.
 */
import assert from 'node:assert/strict'
import { parseHTML } from 'linkedom'
import { OWNER } from '../harness/start-sonde.ts'
import { postedFields, valueOf } from './plain-form.ts'

export type Text = string | RegExp

/** Something of the document that is shown, with what is in it. */
export type PlainPart = {
  readonly element: Element
  /** With every run of white space as one space. */
  readonly text: string
  /** The one that fits this selector and, with `text`, has it within. */
  part(selector: string, text?: Text): PlainPart
  parts(selector: string, text?: Text): PlainPart[]
  /** The part of the page with this title. */
  region(name: Text): PlainPart
  /** Whether this text stands in it. */
  has(text: Text): boolean
  /** Fails with all that stands there instead. */
  shows(text: Text): void
  /** Whether an element in it has exactly this text. */
  hasExactly(text: string): boolean
  /** The control with this label: a string is the whole of it, or what no other label has in it. */
  field(label: Text): PlainPart
  fields(label: Text): PlainPart[]
  valueOf(label: Text): string
  isChecked(label: Text): boolean
  fill(label: Text, value: string): void
  check(label: Text): void
  /** An option by its value or its words. */
  select(label: Text, option: string): void
  buttons(name: Text): PlainPart[]
  /** Posts or gets the form of this button. */
  press(name: Text): Promise<void>
  links(name: Text): PlainPart[]
  follow(name: Text): Promise<void>
}

export type PlainPage = PlainPart & {
  readonly url: URL
  readonly status: number
  readonly html: string
  /** Gives the status of the last answer. */
  goto(path: string): Promise<number>
  reload(): Promise<number>
  clearCookies(): void
  cookie(): string
}

// Streamed parts wait in hidden elements for a script that moves them: without scripts nobody sees them.
const UNSEEN = /^(?:template|script|style)$/i
const CONTROLS = 'input:not([type=hidden]), select, textarea'

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const hasText = (text: string, wanted: Text): boolean =>
  typeof wanted === 'string' ? text.toLowerCase().includes(wanted.toLowerCase()) : wanted.test(text)

const isUnseen = (element: Element): boolean =>
  UNSEEN.test(element.localName) || element.hasAttribute('hidden')
function isShown(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parentElement) if (isUnseen(at)) return false
  return true
}
const INLINE = /^(?:a|b|code|em|i|kbd|mark|small|span|strong|time)$/i

function shownText(element: Element): string {
  let text = ''
  const read = (node: Node): void => {
    if (node.nodeType === node.TEXT_NODE) text += node.nodeValue
    if (node.nodeType !== node.ELEMENT_NODE || (node !== element && isUnseen(node as Element))) return
    const isInline = INLINE.test((node as Element).localName)
    // Words of neighbouring blocks are apart.
    if (!isInline) text += ' '
    for (let child = node.firstChild; child; child = child.nextSibling) read(child)
    if (!isInline) text += ' '
  }
  read(element)
  return plain(text)
}

/** Those whose name is this, else those whose name has it within. */
function named(elements: readonly Element[], nameOf: (element: Element) => string, name: Text): Element[] {
  const exact = elements.filter((element) => nameOf(element) === name)
  return exact.length > 0 ? exact : elements.filter((element) => hasText(nameOf(element), name))
}

function theOne<T>(found: readonly T[], what: string, within: Element): T {
  const [one] = found
  assert.ok(one !== undefined && found.length === 1, `${found.length} × ${what} in: ${shownText(within)}`)
  return one
}

function bodyOf(html: string): Element {
  const { body } = parseHTML(html).document
  // React writes some names as in JSX, and this parser keeps them: `autoComplete`, `formAction`.
  for (const element of body.querySelectorAll('button, form, input, select, textarea'))
    for (const name of element.getAttributeNames())
      element.setAttribute(name.toLowerCase(), element.getAttribute(name) ?? '')
  // It leaves the text of these as it is written.
  for (const area of body.querySelectorAll('textarea')) area.textContent = unescaped(area.textContent)
  return body
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&#x27;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}
/** What React writes for characters that HTML has a use for. */
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#x27|quot|lt|gt|amp);/g, (written) => CHARACTERS[written] ?? written)

type Session = { readonly cookies: readonly { readonly name: string; readonly value: string }[] }

/** `session`: of who is signed in already, as of `sessionOf`. */
export function openPlainPage(origin: string, session: Session = { cookies: [] }): PlainPage {
  const cookies = new Map(session.cookies.map(({ name, value }) => [name, value]))
  let url = new URL(origin)
  let status = 0
  let html = ''
  let body = bodyOf('<html><body></body></html>')

  const cookie = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  async function load(target: URL, init: { method?: string; body?: URLSearchParams } = {}): Promise<number> {
    assert.equal(target.origin, url.origin, 'this reader stays with one origin')
    const headers = {
      cookie: cookie(),
      accept: 'text/html',
      referer: url.href,
      ...(init.body ? { origin: url.origin } : {}),
    }
    const answer = await fetch(target, { ...init, headers, redirect: 'manual' })
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '' || /max-age=0(?:;|$)/i.test(text)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location !== null && answer.status >= 300 && answer.status < 400) {
      await answer.body?.cancel()
      return load(new URL(location, target), answer.status > 303 ? init : {})
    }
    html = await answer.text()
    url = target
    status = answer.status
    body = bodyOf(html)
    return status
  }

  /** Looks again each time: a page that was loaded since has other elements. */
  function partOf(element: () => Element): PlainPart {
    const all = (selector: string): Element[] => [...element().querySelectorAll(selector)].filter(isShown)
    const asParts = (found: readonly Element[]): PlainPart[] => found.map((each) => partOf(() => each))
    const controls = (label: Text): Element[] => named(all(CONTROLS), labelOf, label)
    const control = (label: Text): Element => theOne(controls(label), `field ${label}`, element())
    const told = (selector: string): Element[] =>
      all(selector).filter((found) => found.closest('[aria-hidden=true]') === null)
    const buttons = (name: Text): Element[] => named(told('button, input[type=submit]'), nameOf, name)
    const links = (name: Text): Element[] => named(told('a[href]'), nameOf, name)
    const parts = (selector: string, text: Text = ''): Element[] =>
      all(selector).filter((found) => hasText(shownText(found), text))
    return {
      get element() {
        return element()
      },
      get text() {
        return shownText(element())
      },
      part: (selector, text) =>
        partOf(() => theOne(parts(selector, text), `${selector} ${text ?? ''}`, element())),
      parts: (selector, text) => asParts(parts(selector, text)),
      region(name) {
        const found = () => named(all('section, [role=region]'), labelOf, name)
        const isOuter = (each: Element): boolean =>
          found().every((other) => other === each || !other.contains(each))
        return partOf(() => theOne(found().filter(isOuter), `region ${name}`, element()))
      },
      has: (text) => hasText(shownText(element()), text),
      shows: (text) =>
        assert.ok(hasText(shownText(element()), text), `${text} is not in: ${shownText(element())}`),
      hasExactly: (text) => all('*').some((found) => shownText(found) === text),
      field: (label) => partOf(() => control(label)),
      fields: (label) => asParts(controls(label)),
      valueOf: (label) => valueOf(control(label)),
      isChecked: (label) => control(label).hasAttribute('checked'),
      fill(label, value) {
        const field = control(label)
        assert.ok(isEnabled(field), `${label} is disabled`)
        if (field.localName === 'textarea') field.textContent = `\n${value}`
        else field.setAttribute('value', value)
      },
      check(label) {
        const field = control(label)
        assert.ok(isEnabled(field), `${label} is disabled`)
        const radios = field.getAttribute('type') === 'radio' ? field.closest('form') : null
        for (const radio of radios?.querySelectorAll(`[name="${field.getAttribute('name')}"]`) ?? [])
          radio.removeAttribute('checked')
        field.setAttribute('checked', '')
      },
      select(label, option) {
        const options = [...control(label).querySelectorAll('option')]
        const wanted = options.find(
          (each) => each.getAttribute('value') === option || nameOf(each) === option,
        )
        assert.ok(wanted, `${option} is none of: ${options.map(nameOf).join()}`)
        for (const each of options) each.removeAttribute('selected')
        wanted.setAttribute('selected', '')
      },
      buttons: (name) => asParts(buttons(name)),
      async press(name) {
        const button = theOne(buttons(name), `button ${name}`, element())
        assert.ok(isEnabled(button), `${name} is disabled`)
        const { action, method, fields } = postedFields(button, url)
        if (method === 'get') action.search = fields.toString()
        await load(action, method === 'post' ? { method: 'POST', body: fields } : {})
      },
      links: (name) => asParts(links(name)),
      async follow(name) {
        const link = theOne(links(name), `link ${name}`, element())
        await load(new URL(link.getAttribute('href') ?? '', url))
      },
    }
  }

  const page = partOf(() => body)
  return Object.defineProperties(page, {
    url: { get: () => url },
    status: { get: () => status },
    html: { get: () => html },
    goto: { value: (path: string) => load(new URL(path, url)) },
    reload: { value: () => load(url) },
    clearCookies: { value: () => cookies.clear() },
    cookie: { value: cookie },
  }) as PlainPage
}

/** @throws when the pair is refused, or a code is asked for */
export async function signedInPlain(
  origin: string,
  { email, password }: { readonly email: string; readonly password: string } = OWNER,
): Promise<PlainPage> {
  const page = openPlainPage(origin)
  await page.goto('/sign-in')
  page.fill('E-mail', email)
  page.fill('Password', password)
  await page.press('Sign in')
  assert.ok(!page.url.pathname.startsWith('/sign-in'), page.text)
  return page
}

const isEnabled = (control: Element): boolean =>
  !control.hasAttribute('disabled') && control.closest('fieldset[disabled]') === null

/** Of a button, a link or an option. */
const nameOf = (element: Element): string =>
  element.getAttribute('aria-label') ?? (shownText(element) || (element.getAttribute('title') ?? ''))

/** Of a control or a part of the page. */
function labelOf(control: Element): string {
  const own = control.getAttribute('aria-label')
  if (own !== null) return own
  const root = control.ownerDocument
  const others = (control.getAttribute('aria-labelledby') ?? '')
    .split(' ')
    .map((id) => (id === '' ? null : root.getElementById(id)))
    .filter((found) => found !== null)
  if (others.length > 0) return plain(others.map(shownText).join(' '))
  const id = control.getAttribute('id')
  const label = (id === null ? null : root.querySelector(`label[for="${id}"]`)) ?? control.closest('label')
  if (!label) return control.getAttribute('placeholder') ?? ''
  const copy = label.cloneNode(true) as Element
  for (const inner of copy.querySelectorAll('select, textarea')) inner.remove()
  return shownText(copy)
}
