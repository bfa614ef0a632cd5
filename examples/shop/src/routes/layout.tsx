import { Link, NavLink, Outlet, ScrollRestoration, useNavigation } from 'react-router'
import { WarmLink } from '../ui/warm-link.tsx'
import { visitor } from '../visitor.ts'

const CATEGORIES = ['kettles', 'brewing', 'grinders', 'cups', 'coffee']

export function Layout() {
  const navigation = useNavigation()
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div
        className="progress"
        data-busy={navigation.state !== 'idle'}
        role="progressbar"
        aria-label="Loading"
        hidden={navigation.state === 'idle'}
      />
      <header className="head">
        <Link to="/" className="brand">
          Kettle <span>&amp;</span> Crane
        </Link>
        <nav aria-label="Categories">
          {CATEGORIES.map((category) => (
            <NavLink key={category} to={`/c/${category}`}>
              {category}
            </NavLink>
          ))}
        </nav>
        <nav aria-label="Yours" className="yours">
          <NavLink to="/account">{visitor()?.name ?? 'Account'}</NavLink>
          <WarmLink to="/cart" chunk="cart" data="/api/cart" className="cart-link">
            Cart
          </WarmLink>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <footer className="foot">
        <p>
          Kettle &amp; Crane is an example that ships with Sonde. Nothing here is for sale, and some of it is
          broken on purpose.
        </p>
        {/* On purpose: a link to something that is not there any more, as old ones on many sites. */}
        <p>
          <Link to="/products/espresso-machine">The espresso machine that everybody asks for</Link>
        </p>
        <p>
          <a href="/opening">The shop at the harbour</a>
        </p>
        <p>{SHOP_RELEASE}</p>
      </footer>
      <ScrollRestoration />
    </>
  )
}
