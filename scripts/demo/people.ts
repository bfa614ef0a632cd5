/** Who visits, on what, from where: taken in turn, so that two runs tell the same story. */
export type Device = {
  readonly name: string
  readonly userAgent: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly isMobile: boolean
  /** How many times slower than this machine's processor. */
  readonly cpuSlowdown: number
  /** Undefined: as fast as this machine. */
  readonly network?: { readonly latencyMs: number; readonly kBytesPerSec: number }
}

export type Person = {
  readonly name: string
  readonly email: string
  readonly device: Device
  readonly locale: string
  readonly timezone: string
}

const NAMES = [
  'Ada Lindqvist',
  'Bruno Costa',
  'Chiara Rossi',
  'Dmitri Volkov',
  'Elif Yılmaz',
  'Fatou Diop',
  'Grace Okafor',
  'Hanna Weber',
  'Ivo Novák',
  'Jun Tanaka',
  'Kofi Mensah',
  'Lena Fischer',
  'Mateo García',
  'Nadia Haddad',
  'Oskar Nilsson',
  'Priya Sharma',
  'Quentin Moreau',
  'Rosa Jiménez',
  'Sven Dahl',
  'Tomás Silva',
  'Uma Iyer',
  'Viktor Horváth',
  'Wei Chen',
  'Ximena Ruiz',
  'Yara Khoury',
  'Zoë van Dijk',
  'Amir Rahimi',
  'Beatriz Alves',
  'Callum Reid',
  'Dorota Kowalska',
  'Emre Demir',
  'Freya Olsen',
]
const PLACES = [
  ['de-DE', 'Europe/Berlin'],
  ['en-GB', 'Europe/London'],
  ['pt-PT', 'Europe/Lisbon'],
  ['fr-FR', 'Europe/Paris'],
  ['en-US', 'America/New_York'],
  ['es-MX', 'America/Mexico_City'],
  ['ja-JP', 'Asia/Tokyo'],
  ['en-IN', 'Asia/Kolkata'],
] as const

const ua = (inner: string): string => `Mozilla/5.0 (${inner}`
const DEVICES: readonly Device[] = [
  {
    name: 'laptop',
    userAgent: ua(
      'Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
    ),
    viewport: { width: 1440, height: 900 },
    isMobile: false,
    cpuSlowdown: 1,
  },
  {
    name: 'telephone',
    userAgent: ua(
      'Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36',
    ),
    viewport: { width: 412, height: 915 },
    isMobile: true,
    cpuSlowdown: 3,
    network: { latencyMs: 60, kBytesPerSec: 1_200 },
  },
  {
    name: 'iPhone',
    userAgent: ua(
      'iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    ),
    viewport: { width: 393, height: 852 },
    isMobile: true,
    cpuSlowdown: 2,
    network: { latencyMs: 50, kBytesPerSec: 1_500 },
  },
  {
    name: 'Mac',
    userAgent: ua(
      'Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
    ),
    viewport: { width: 1280, height: 800 },
    isMobile: false,
    cpuSlowdown: 1,
  },
  {
    name: 'old telephone',
    userAgent: ua(
      'Linux; Android 11; SM-A125F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
    ),
    viewport: { width: 360, height: 760 },
    isMobile: true,
    cpuSlowdown: 6,
    network: { latencyMs: 180, kBytesPerSec: 300 },
  },
  {
    name: 'Linux',
    userAgent: ua('X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'),
    viewport: { width: 1680, height: 1050 },
    isMobile: false,
    cpuSlowdown: 1,
  },
  {
    name: 'office',
    userAgent: ua(
      'Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36 Edg/146.0.0.0',
    ),
    viewport: { width: 1920, height: 1080 },
    isMobile: false,
    cpuSlowdown: 2,
    network: { latencyMs: 25, kBytesPerSec: 3_000 },
  },
]

/** The `index`th visitor. People come back: there are fewer of them than visits. */
export function personOf(index: number): Person {
  const name = NAMES[index % NAMES.length] as string
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i').toLowerCase()
  const [locale, timezone] = PLACES[(index * 5) % PLACES.length] as (typeof PLACES)[number]
  return {
    name,
    email: `${plain.replaceAll(/[^a-z]+/g, '.')}@example.com`,
    device: DEVICES[(index * 3) % DEVICES.length] as Device,
    locale,
    timezone,
  }
}

export const PEOPLE = NAMES.length
