/**
 * Whether a post comes from our own pages. Browsers send Origin with every post, and Sec-Fetch-Site
 * with every request to a trustworthy URL (Fetch metadata, w3.org/TR/fetch-metadata); neither can be
 * set by a script of another site. Strict: a post that has neither is refused.
 */
export type PostVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string }

/** @param origin our public origin, `https://sonde.example` */
export function judgePost(headers: Headers, origin: string): PostVerdict {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') {
    return refused(`Sec-Fetch-Site is "${site}", only "same-origin" may post`)
  }
  const from = headers.get('origin')
  if (from !== null && from !== origin) {
    return refused(`Origin is "${from}", this server is "${origin}"; behind a proxy set the public origin`)
  }
  if (site === null && from === null) return refused('neither Origin nor Sec-Fetch-Site was sent')
  return { allowed: true }
}

function refused(reason: string): PostVerdict {
  return { allowed: false, reason }
}
