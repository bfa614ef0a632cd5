/** Puts a function of the page into another one. */

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the page calls it with is handed on
type AnyFunction = (this: any, ...args: any[]) => any

/**
 * `make` gets the original and returns what stands in its place. Printed, it looks like the original: libraries ask
 * whether a function is native.
 */
export function wrap<T extends object>(
  target: T,
  name: keyof T & string,
  make: (original: AnyFunction) => AnyFunction,
): void {
  const original = target[name] as AnyFunction | undefined
  if (!original) return
  const replacement = make(original)
  replacement.toString = () => original.toString()
  target[name] = replacement as T[typeof name]
}
