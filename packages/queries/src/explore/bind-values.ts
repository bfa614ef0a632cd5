/** Collects the values of a statement under names of their own. */
export type Bind = (value: string | number | readonly unknown[], type?: string) => string

export function createBind(prefix: string): {
  readonly bind: Bind
  readonly params: Readonly<Record<string, unknown>>
} {
  const params: Record<string, unknown> = {}
  let count = 0
  return {
    params,
    bind(value, type = 'String') {
      const name = `${prefix}${count++}`
      params[name] = value
      return `{${name}:${type}}`
    },
  }
}
