/** What the shop sells. Prices are in cents. */
const PRODUCTS = [
  [
    'kestrel-kettle',
    'Kestrel gooseneck kettle',
    'kettles',
    8900,
    'A narrow spout for a slow, even pour. 0.9 l, holds its temperature for an hour.',
    4.7,
    212,
  ],
  [
    'harbour-kettle',
    'Harbour stovetop kettle',
    'kettles',
    5400,
    'Enamelled steel that whistles in a minor third.',
    4.4,
    98,
  ],
  [
    'heron-dripper',
    'Heron ceramic dripper',
    'brewing',
    2900,
    'Spiral ribs, one large hole: the cup decides how fast you pour.',
    4.8,
    340,
  ],
  [
    'slow-drip-tower',
    'Slow drip tower',
    'brewing',
    24900,
    'Cold brew, one drop a second, ready tomorrow morning.',
    4.1,
    31,
  ],
  [
    'moss-press',
    'Moss French press',
    'brewing',
    4600,
    'Double-walled glass and a filter that leaves the grounds where they are.',
    4.5,
    176,
  ],
  [
    'burr-one',
    'Burr One hand grinder',
    'grinders',
    7900,
    'Steel burrs, forty clicks, fits between your knees.',
    4.9,
    421,
  ],
  [
    'burr-two',
    'Burr Two electric grinder',
    'grinders',
    18900,
    'Quiet enough for the first one awake.',
    4.6,
    154,
  ],
  ['sand-cup', 'Sand cup, set of two', 'cups', 3200, 'Thrown by hand in Lisbon. No two are alike.', 4.8, 267],
  [
    'limited-crane-mug',
    'Crane mug, limited edition',
    'cups',
    3900,
    'Two hundred made, numbered at the foot.',
    4.9,
    88,
  ],
  [
    'ethiopia-guji',
    'Ethiopia Guji, 250 g',
    'coffee',
    1490,
    'Washed. Bergamot, apricot, a long sweet end.',
    4.7,
    512,
  ],
  [
    'colombia-huila',
    'Colombia Huila, 250 g',
    'coffee',
    1350,
    'Caramel, red apple, milk chocolate.',
    4.5,
    389,
  ],
  [
    'decaf-sugarcane',
    'Decaf, sugar cane process, 250 g',
    'coffee',
    1420,
    'For the cup after the last one.',
    4.3,
    143,
  ],
]

export const products = PRODUCTS.map(([id, name, category, price, text, rating, ratings]) => ({
  id,
  name,
  category,
  price,
  text,
  rating,
  ratings,
  // The edition was imported from another system and has no care instructions: the product page does not expect that.
  care:
    id === 'limited-crane-mug' ? null : { material: materialOf(category), dishwasher: category === 'cups' },
}))

export const categories = ['kettles', 'brewing', 'grinders', 'cups', 'coffee']

function materialOf(category) {
  return { kettles: 'steel', brewing: 'ceramic', grinders: 'steel', cups: 'stoneware', coffee: 'beans' }[
    category
  ]
}

/** A picture per product, drawn from its id: the example needs no image files. */
export function picture({ id, category }) {
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  const shapes = {
    kettles:
      '<path d="M120 250h160l-20-110h-120z"/><path d="M140 160q-50-10-60-70l14-4q14 40 56 44z"/><path d="M180 128h40v14h-40z"/>',
    brewing:
      '<path d="M110 110h180l-60 110h-60z"/><rect x="150" y="226" width="100" height="16" rx="8"/><path d="M165 250h70v50h-70z" opacity=".5"/>',
    grinders:
      '<rect x="150" y="100" width="100" height="200" rx="18"/><path d="M200 96v-30h70v14h-56v16z"/><circle cx="274" cy="66" r="12"/>',
    cups: '<path d="M120 140h140v90q0 60-70 60t-70-60z"/><path d="M260 160h24q26 0 26 36t-50 44v-16q30-4 30-28t-30-20z"/>',
    coffee:
      '<path d="M130 110h140l14 190h-168z"/><path d="M130 110l12-24h116l12 24z" opacity=".6"/><ellipse cx="200" cy="210" rx="30" ry="42" fill="#fff" opacity=".55"/>',
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><rect width="400" height="400" fill="hsl(${hue} 30% 92%)"/><circle cx="${140 + (hue % 120)}" cy="190" r="150" fill="hsl(${(hue + 40) % 360} 45% 84%)"/><g fill="hsl(${hue} 38% 32%)">${shapes[category]}</g></svg>`
}
