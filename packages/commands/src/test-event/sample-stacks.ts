/**
 * What an error of each platform looks like: the same shop whose cart has no total, as that platform's SDK would send
 * it. Oldest call first, as in every event (https://develop.sentry.dev/sdk/data-model/event-payloads/stacktrace/).
 */
export type SampleFrame = {
  readonly function: string
  readonly filename: string
  readonly abs_path?: string
  readonly module?: string
  readonly lineno: number
  readonly colno?: number
  readonly in_app: boolean
  readonly pre_context?: readonly string[]
  readonly context_line?: string
  readonly post_context?: readonly string[]
}

export type SampleStack = {
  /** The event's `platform`. */
  readonly platform: string
  readonly type: string
  readonly value: string
  readonly mechanism: string
  /** What ran it: shown as `runtime`. */
  readonly runtime?: { readonly name: string; readonly version: string }
  readonly frames: readonly SampleFrame[]
}

const library = (name: string, filename: string, lineno: number): SampleFrame => ({
  function: name,
  filename,
  lineno,
  in_app: false,
})

const code = (lines: readonly string[], at: number) => ({
  pre_context: lines.slice(0, at),
  context_line: lines[at] ?? '',
  post_context: lines.slice(at + 1),
})

const JS_TOTAL = [
  'export function formatTotal(cart) {',
  '  const currency = cart.currency ?? "EUR"',
  '  return new Intl.NumberFormat("en", { style: "currency", currency }).format(cart.sum.total)',
  '}',
]
const JS_PAY = [
  'async function pay(cart) {',
  '  setPending(true)',
  '  const label = formatTotal(cart)',
  '  await api.post("/orders", { cart, label })',
  '}',
]
const javascript = (origin: string, below: SampleFrame): Omit<SampleStack, 'platform' | 'mechanism'> => ({
  type: 'TypeError',
  value: "Cannot read properties of undefined (reading 'total')",
  frames: [
    below,
    {
      function: 'pay',
      filename: `${origin}/src/checkout/pay.js`,
      abs_path: `${origin}/src/checkout/pay.js`,
      lineno: 18,
      colno: 17,
      in_app: true,
      ...code(JS_PAY, 2),
    },
    {
      function: 'formatTotal',
      filename: `${origin}/src/cart/format-total.js`,
      abs_path: `${origin}/src/cart/format-total.js`,
      lineno: 7,
      colno: 91,
      in_app: true,
      ...code(JS_TOTAL, 2),
    },
  ],
})
const browser = (name: string, file: string, lineno: number): SampleStack => ({
  platform: 'javascript',
  mechanism: 'onerror',
  ...javascript('https://shop.example', library(name, `https://shop.example/node_modules/${file}`, lineno)),
})

const BROWSER = browser('HTMLButtonElement.<anonymous>', 'delegate-it/delegate.js', 41)

const NODE: SampleStack = {
  platform: 'node',
  mechanism: 'onuncaughtexception',
  runtime: { name: 'node', version: 'v24.0.0' },
  ...javascript(
    '/app',
    library('Layer.handle [as handle_request]', '/app/node_modules/router/lib/layer.js', 152),
  ),
}

const PYTHON: SampleStack = {
  platform: 'python',
  type: 'KeyError',
  value: "'total'",
  mechanism: 'django',
  runtime: { name: 'CPython', version: '3.13.0' },
  frames: [
    {
      ...library('inner', 'django/core/handlers/exception.py', 55),
      module: 'django.core.handlers.exception',
    },
    {
      function: 'checkout',
      module: 'shop.views',
      filename: 'shop/views.py',
      abs_path: '/app/shop/views.py',
      lineno: 42,
      in_app: true,
      ...code(
        ['def checkout(request):', '    cart = load_cart(request.user)', '    label = format_total(cart)'],
        2,
      ),
    },
    {
      function: 'format_total',
      module: 'shop.cart',
      filename: 'shop/cart.py',
      abs_path: '/app/shop/cart.py',
      lineno: 17,
      in_app: true,
      ...code(['def format_total(cart):', "    return f\"{cart['sum']['total']:.2f} EUR\"", ''], 1),
    },
  ],
}

const GO: SampleStack = {
  platform: 'go',
  type: '*cart.MissingTotalError',
  value: 'cart 4711 has no total',
  mechanism: 'generic',
  runtime: { name: 'go', version: 'go1.25.0' },
  frames: [
    { ...library('HandlerFunc.ServeHTTP', 'net/http/server.go', 2294), module: 'net/http' },
    {
      function: 'Checkout',
      module: 'shop.example/checkout',
      filename: 'checkout/handler.go',
      abs_path: '/app/checkout/handler.go',
      lineno: 31,
      in_app: true,
      ...code(
        [
          'func Checkout(w http.ResponseWriter, r *http.Request) {',
          '\tlabel, err := cart.Total(r.Context())',
        ],
        1,
      ),
    },
    {
      function: 'Total',
      module: 'shop.example/cart',
      filename: 'cart/total.go',
      abs_path: '/app/cart/total.go',
      lineno: 22,
      in_app: true,
      ...code(['\tif c.Sum == nil {', '\t\treturn "", &MissingTotalError{ID: c.ID}', '\t}'], 1),
    },
  ],
}

const RUBY: SampleStack = {
  platform: 'ruby',
  type: 'NoMethodError',
  value: "undefined method 'total' for nil",
  mechanism: 'rails',
  runtime: { name: 'ruby', version: '3.4.0' },
  frames: [
    library('process_action', 'abstract_controller/base.rb', 226),
    {
      function: 'create',
      filename: 'app/controllers/orders_controller.rb',
      abs_path: '/app/app/controllers/orders_controller.rb',
      lineno: 12,
      in_app: true,
      ...code(['  def create', '    @label = CartFormatter.new(current_cart).total', '  end'], 1),
    },
    {
      function: 'total',
      filename: 'app/models/cart_formatter.rb',
      abs_path: '/app/app/models/cart_formatter.rb',
      lineno: 8,
      in_app: true,
      ...code(['  def total', '    format("%.2f EUR", @cart.sum.total)', '  end'], 1),
    },
  ],
}

const PHP: SampleStack = {
  platform: 'php',
  type: 'ErrorException',
  value: 'Undefined array key "total"',
  mechanism: 'generic',
  runtime: { name: 'php', version: '8.4.0' },
  frames: [
    library(
      'Illuminate\\Routing\\Router::dispatch',
      '/vendor/laravel/framework/src/Illuminate/Routing/Router.php',
      751,
    ),
    {
      function: 'App\\Http\\Controllers\\OrderController::store',
      filename: '/app/Http/Controllers/OrderController.php',
      lineno: 27,
      in_app: true,
      ...code(['    {', '        $label = $this->cart->formatTotal();', '    }'], 1),
    },
    {
      function: 'App\\Cart::formatTotal',
      filename: '/app/Cart.php',
      lineno: 14,
      in_app: true,
      ...code(
        ['        $sum = $this->sum ?? [];', "        return number_format($sum['total'], 2) . ' EUR';"],
        1,
      ),
    },
  ],
}

const JAVA: SampleStack = {
  platform: 'java',
  type: 'NullPointerException',
  value: 'Cannot invoke "Sum.total()" because "cart.sum" is null',
  mechanism: 'HandlerExceptionResolver',
  runtime: { name: 'OpenJDK', version: '25' },
  frames: [
    {
      ...library('doDispatch', 'DispatcherServlet.java', 1089),
      module: 'org.springframework.web.servlet.DispatcherServlet',
    },
    {
      function: 'checkout',
      module: 'example.shop.OrderController',
      filename: 'OrderController.java',
      lineno: 34,
      in_app: true,
      ...code(['  Order checkout(@RequestBody Cart cart) {', '    var label = formatter.total(cart);'], 1),
    },
    {
      function: 'total',
      module: 'example.shop.CartFormatter',
      filename: 'CartFormatter.java',
      lineno: 19,
      in_app: true,
      ...code(
        ['  String total(Cart cart) {', '    return "%.2f EUR".formatted(cart.sum.total());', '  }'],
        1,
      ),
    },
  ],
}

const DOTNET: SampleStack = {
  platform: 'csharp',
  type: 'System.NullReferenceException',
  value: 'Object reference not set to an instance of an object.',
  mechanism: 'AppDomain.UnhandledException',
  runtime: { name: '.NET', version: '10.0.0' },
  frames: [
    {
      ...library('Invoke', 'ControllerActionInvoker.cs', 152),
      module: 'Microsoft.AspNetCore.Mvc.Infrastructure.ControllerActionInvoker',
    },
    {
      function: 'IActionResult OrderController.Create(Cart cart)',
      module: 'Shop.OrderController',
      filename: 'OrderController.cs',
      lineno: 21,
      in_app: true,
      ...code(
        [
          '    public IActionResult Create(Cart cart)',
          '    {',
          '        var label = _formatter.Total(cart);',
        ],
        2,
      ),
    },
    {
      function: 'string CartFormatter.Total(Cart cart)',
      module: 'Shop.CartFormatter',
      filename: 'CartFormatter.cs',
      lineno: 11,
      in_app: true,
      ...code(['    public string Total(Cart cart) =>', '        $"{cart.Sum.Total:F2} EUR";'], 1),
    },
  ],
}

/** By the project's platform; a longer name (`python-django`) falls back to what is before its hyphen. */
const SAMPLES: ReadonlyMap<string, SampleStack> = new Map([
  ['javascript', BROWSER],
  ['javascript-react', browser('invokeGuardedCallback', 'react-dom/cjs/react-dom.development.js', 4213)],
  ['javascript-nextjs', browser('runAction', 'next/dist/client/components/app-router.js', 119)],
  ['javascript-vue', browser('callWithErrorHandling', 'vue/dist/vue.runtime.esm-bundler.js', 318)],
  ['javascript-svelte', browser('handle_event_propagation', 'svelte/src/internal/client/events.js', 242)],
  ['node', NODE],
  ['python', PYTHON],
  ['go', GO],
  ['ruby', RUBY],
  ['php', PHP],
  ['java', JAVA],
  ['csharp', DOTNET],
  ['dotnet', DOTNET],
])

/** A browser's error for a platform that nobody drew. */
export function sampleStack(platform: string): SampleStack {
  return SAMPLES.get(platform) ?? SAMPLES.get(platform.split('-')[0] ?? '') ?? BROWSER
}
