/**
 * A form in a modal `<dialog>`: the browser keeps the focus inside, Escape closes, and the rest of the page is inert. In a
 * shadow root with a style sheet object, so that no style of the page reaches in and a strict policy for styles is no hindrance.
 * Text is set as text only: labels come from addresses and attributes.
 */
export type Field = {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'email' | 'textarea'
  readonly isRequired: boolean
  readonly value?: string | undefined
}
export type Outcome = 'sent' | 'invalid' | 'failed'

export type FormDialog = {
  readonly lang?: string | undefined
  readonly title: string
  /** Paragraphs below the title; empty ones are left out. */
  readonly lines: readonly string[]
  readonly fields: readonly Field[]
  readonly submit: string
  readonly close: string
  /** What is said of each outcome. */
  readonly said: Readonly<Record<Outcome, string>>
  readonly send: (values: Readonly<Record<string, string>>) => Promise<Outcome>
  readonly onClose?: () => void
}

/** As much as the server keeps. */
const MAX_LENGTHS = { text: 128, email: 320, textarea: 4096 }

export function showFormDialog(options: FormDialog): void {
  const host = document.createElement('div')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [styleSheet()]
  const dialog = add(root, 'dialog')
  dialog.lang = options.lang ?? ''
  const title = add(dialog, 'h2', options.title)
  title.id = 'title'
  dialog.setAttribute('aria-labelledby', title.id)
  for (const line of options.lines) if (line) add(dialog, 'p', line)
  const form = add(dialog, 'form')
  form.noValidate = true
  const inputs = options.fields.map((field) => addField(form, field))
  const status = add(form, 'p')
  status.setAttribute('role', 'status')
  const buttons = add(form, 'div')
  const close = add(buttons, 'button', options.close)
  close.type = 'button'
  const submit = add(buttons, 'button', options.submit)
  submit.className = 'main'

  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    host.remove()
    options.onClose?.()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void trySend()
  })
  const trySend = async (): Promise<void> => {
    const wrong = inputs.filter((input) => {
      input.setAttribute('aria-invalid', String(!isFilled(input)))
      return !isFilled(input)
    })
    if (wrong[0]) {
      status.textContent = options.said.invalid
      return wrong[0].focus()
    }
    submit.disabled = true
    const outcome = await options
      .send(Object.fromEntries(inputs.map(({ name, value }) => [name, value.trim()])))
      .catch((): Outcome => 'failed')
    status.textContent = options.said[outcome]
    if (outcome !== 'sent') return void (submit.disabled = false)
    for (const input of inputs) input.parentElement?.remove()
    submit.remove()
    close.focus()
  }
  document.body.append(host)
  dialog.showModal()
  ;(inputs.find(({ value }) => !value) ?? inputs[0])?.focus()
}

type Input = HTMLInputElement | HTMLTextAreaElement

function addField(form: HTMLElement, { name, label, kind, isRequired, value }: Field): Input {
  const row = add(form, 'label')
  add(row, 'span', label)
  const input = kind === 'textarea' ? add(row, 'textarea') : add(row, 'input')
  if (input instanceof HTMLInputElement) {
    input.type = kind
    input.autocomplete = kind === 'email' ? 'email' : 'name'
  } else input.rows = 5
  input.name = name
  input.maxLength = MAX_LENGTHS[kind]
  input.required = isRequired
  input.value = (value ?? '').slice(0, input.maxLength)
  return input
}

const isFilled = (input: Input): boolean =>
  input.checkValidity() && (!input.required || input.value.trim() !== '')

function add<Tag extends keyof HTMLElementTagNameMap>(
  parent: Node,
  tag: Tag,
  text?: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  if (text) element.textContent = text
  parent.appendChild(element)
  return element
}

/** Colours follow the reader's setting; contrast is at least 4.5 to 1 in both. */
const CSS = `:host{color-scheme:light dark}
dialog{box-sizing:border-box;width:min(30rem,calc(100vw - 1rem));max-height:calc(100vh - 1rem);overflow:auto;padding:1.25rem;border:1px solid light-dark(#c4cbd4,#4b5563);border-radius:.5rem;background:light-dark(#fff,#1b2129);color:light-dark(#14202c,#eef2f6);font:1rem/1.45 system-ui,sans-serif}
dialog::backdrop{background:#0008}
h2{margin:0 0 .5rem;font-size:1.25rem}
p{margin:0 0 .75rem;overflow-wrap:anywhere}
label{display:block;margin-bottom:.75rem}
span{display:block;margin-bottom:.25rem}
input,textarea{box-sizing:border-box;width:100%;padding:.5rem;border:1px solid light-dark(#6b7683,#8a95a3);border-radius:.25rem;background:light-dark(#fff,#11161c);color:inherit;font:inherit}
[aria-invalid=true]{border-color:light-dark(#b3261e,#f2938b);border-width:2px}
div{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:flex-end}
button{padding:.5rem 1rem;border:1px solid light-dark(#6b7683,#8a95a3);border-radius:.25rem;background:none;color:inherit;font:inherit;cursor:pointer}
button.main{border-color:transparent;background:light-dark(#1d4f8c,#9cc4f0);color:light-dark(#fff,#0d1720)}
button:disabled{opacity:.6;cursor:default}
:focus-visible{outline:2px solid light-dark(#1d4f8c,#9cc4f0);outline-offset:2px}`

export function styleSheet(more = ''): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS + more)
  return sheet
}
