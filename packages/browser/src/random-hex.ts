/** `crypto.randomUUID` exists in secure contexts only; this works on plain http pages too. */
export function randomHex(bytes: number): string {
  let text = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) text += (byte + 256).toString(16).slice(1)
  return text
}
