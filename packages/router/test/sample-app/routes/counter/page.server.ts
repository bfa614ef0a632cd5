let loads = 0

export function load() {
  loads++
  return { loads, text: 'first text' }
}
