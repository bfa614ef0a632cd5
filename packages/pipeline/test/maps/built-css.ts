/** What esbuild 0.28.2 made of three style sheets, with `--bundle --minify --sourcemap --entry-names=[name]-[hash]`. */

export const CSS_URL = '~/assets/main-GQKWFDNN.css'

const HOME = `.page {
  margin: 0;
}

.hero {
  height: 200px;
  background: url("../img/hero.jpg");
}
`
const CART = `.cart {
  display: grid;
}
`
const FONTS = `@font-face {
  font-family: Tall;
  src: url(./img/tall.woff2) format("woff2");
}
`

export const CSS = `.page{margin:0}.hero{height:200px;background:url("/assets/hero-BLBUQJZC.jpg")}.cart{display:grid}@font-face{font-family:Tall;src:url("/assets/tall-UPML6QKQ.woff2") format("woff2")}
/*# sourceMappingURL=/assets/main-GQKWFDNN.css.map */
`

export const CSS_MAP = JSON.stringify({
  version: 3,
  sources: ['../../src/home/home.css', '../../src/cart/cart.css', '../../src/fonts.css'],
  sourcesContent: [HOME, CART, FONTS],
  mappings:
    'AAAA,CAAC,KAAD,OACU,CACV,CAEA,CAAC,KACC,OAAQ,MACR,WAAY,gCACd,CCPA,CAAC,KACC,QAAS,IACX,CCFA,WACE,YAAa,KACb,IAAK,mCAAsB,OAAO,QACpC',
  names: [],
})
