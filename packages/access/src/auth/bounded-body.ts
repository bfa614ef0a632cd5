/** The body of a request from somebody who has not signed in: read once, and never more of it than the bound. */

/**
 * Undefined: longer than the bound; what is behind it was not read. Counted by bytes that came: `content-length` is
 * the sender's word, and a chunked body has none.
 */
export async function boundedText(request: Request, maxBytes: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined // leaving the loop cancels the stream
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
