/**
 * Remembers what a pure function made of a text: a program's frames come again with each of its events, and cleaning
 * their names is a third of the work of grouping. What is remembered changes no result.
 */

// A large program's worth of frames. Emptied as a whole when full: keeping an order would cost each look-up.
const MAX_TEXTS = 4_000
// Longer ones are minified code or data, and hardly ever the same twice.
const MAX_CHARACTERS = 300

export function remembered(compute: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const result = compute(text)
    if (text.length > MAX_CHARACTERS) return result
    if (known.size >= MAX_TEXTS) known.clear()
    known.set(text, result)
    return result
  }
}
