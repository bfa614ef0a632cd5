/** What kind of device a page ran on, as far as a `User-Agent` says. */
export type DeviceClass = 'mobile' | 'tablet' | 'desktop' | ''

export function deviceClass(userAgent: string): DeviceClass {
  if (userAgent === '') return ''
  // Android tablets leave out "Mobile"; iPads since 2019 say that they are Macs, and count as desktops.
  if (/iPad|Tablet|PlayBook|Silk(?!.*Mobile)/.test(userAgent)) return 'tablet'
  if (userAgent.includes('Android')) return userAgent.includes('Mobile') ? 'mobile' : 'tablet'
  if (/Mobi|iPhone|iPod/.test(userAgent)) return 'mobile'
  return /Windows NT|Macintosh|X11|CrOS/.test(userAgent) ? 'desktop' : ''
}
