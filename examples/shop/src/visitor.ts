/** Who is signed in, as far as this example goes: a name in the browser's storage. */
export type Visitor = { readonly id: string; readonly name: string; readonly email: string }

const KEY = 'kettle-and-crane.visitor'

export function visitor(): Visitor | undefined {
  try {
    const text = localStorage.getItem(KEY)
    return text ? (JSON.parse(text) as Visitor) : undefined
  } catch {
    return undefined
  }
}

export function signIn(name: string, email: string): Visitor {
  const found: Visitor = { id: `v-${email.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`, name, email }
  localStorage.setItem(KEY, JSON.stringify(found))
  return found
}
