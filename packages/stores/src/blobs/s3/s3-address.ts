/** Where blobs lie on S3: `s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1`. */

export type S3Keys = { readonly accessKey: string; readonly secretKey: string }

/** As the configuration has it. */
export type S3Place = { readonly url: string; readonly keys?: S3Keys }

export type S3Address = {
  readonly bucket: string
  /** Before every name: empty, or with a slash at its end. */
  readonly prefix: string
  /** An origin. The bucket goes into the path: what every S3 server takes, without names of its own in the DNS. */
  readonly endpoint: string
  readonly region: string
}

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX_SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/
const REGION = /^[a-z0-9-]{1,32}$/
// A key has 1,024 bytes at most, a blob's name 1,000.
const MAX_PREFIX_CHARS = 23
// What servers that have no regions call theirs.
const DEFAULT_REGION = 'us-east-1'

/** Undefined for what is no such URL. A password in it is refused: addresses are shown and logged. */
export function readS3Url(text: string): S3Address | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, host: bucket, username, pathname, searchParams, hash } = new URL(text)
  const isKnown = [...searchParams.keys()].every((key) => key === 'endpoint' || key === 'region')
  const region = searchParams.get('region') ?? DEFAULT_REGION
  const endpoint = originOf(searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  const prefix = pathname.split('/').filter((part) => part !== '')
  const isRight =
    protocol === 's3:' &&
    BUCKET.test(bucket) &&
    username === '' &&
    hash === '' &&
    isKnown &&
    REGION.test(region) &&
    prefix.every((part) => PREFIX_SEGMENT.test(part) && !part.includes('..')) &&
    prefix.join('/').length <= MAX_PREFIX_CHARS
  if (!isRight || endpoint === undefined) return undefined
  return { bucket, prefix: prefix.map((part) => `${part}/`).join(''), endpoint, region }
}

function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, pathname, search, hash, username } = new URL(text)
  const isPlain = pathname === '/' && search === '' && hash === '' && username === ''
  return isPlain && /^https?:$/.test(protocol) ? origin : undefined
}
