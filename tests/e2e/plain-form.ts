/** What a browser sends when a button of a form is pressed. https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constructing-form-data-set */
import assert from 'node:assert/strict'

export type Posted = {
  readonly action: URL
  readonly method: 'get' | 'post'
  readonly fields: URLSearchParams
}

const CHECKABLE = ['checkbox', 'radio']
const BUTTONS = ['submit', 'button', 'reset', 'image', 'file']

/** @throws as a browser would stay where it is: without a form, or with an empty field that is required */
export function postedFields(button: Element, at: URL): Posted {
  const root = button.ownerDocument
  const formId = button.getAttribute('form')
  const form = formId === null ? button.closest('form') : root.getElementById(formId)
  assert.ok(form, `${button.outerHTML} is in no form`)
  assert.ok((button.getAttribute('type') ?? 'submit') === 'submit', `${button.outerHTML} needs a script`)
  const enctype = form.getAttribute('enctype')
  assert.ok(enctype === null, `a form sent as ${enctype}`)
  const fields = new URLSearchParams()
  for (const control of root.querySelectorAll('input, select, textarea')) {
    if (!belongsTo(control, form) || isLeftOut(control)) continue
    const value = valueOf(control)
    assert.ok(
      value !== '' || !control.hasAttribute('required') || form.hasAttribute('novalidate'),
      `${control.outerHTML} is required`,
    )
    const name = control.getAttribute('name') ?? ''
    if (name !== '') fields.append(name, value)
  }
  const name = button.getAttribute('name') ?? ''
  if (name !== '') fields.append(name, button.getAttribute('value') ?? '')
  const action = button.getAttribute('formaction') ?? form.getAttribute('action') ?? ''
  const method = button.getAttribute('formmethod') ?? form.getAttribute('method') ?? 'get'
  return {
    action: new URL(action === '' ? at.href : action, at),
    method: method.toLowerCase() === 'post' ? 'post' : 'get',
    fields,
  }
}

function belongsTo(control: Element, form: Element): boolean {
  const id = control.getAttribute('form')
  return id === null ? control.closest('form') === form : id === form.getAttribute('id')
}

function isLeftOut(control: Element): boolean {
  const type = control.getAttribute('type') ?? ''
  if (control.hasAttribute('disabled') || control.closest('fieldset[disabled]') !== null) return true
  if (BUTTONS.includes(type)) return true
  return CHECKABLE.includes(type) && !control.hasAttribute('checked')
}

export function valueOf(control: Element): string {
  if (control.localName === 'textarea') return (control.textContent ?? '').replace(/^\n/, '')
  if (control.localName !== 'select') return control.getAttribute('value') ?? ''
  const option = control.querySelector('option[selected]') ?? control.querySelector('option')
  return option?.getAttribute('value') ?? (option?.textContent ?? '').trim()
}
