/** Module and class names without the parts that compilers and runtimes number anew. */
import { remembered } from './remember.ts'

const RULES: readonly (readonly [RegExp, string])[] = [
  // Proxies that Spring, Hibernate, Javassist and Guice make at run time.
  [
    /\$\$(?:EnhancerBy|FastClassBy)\w*\$\$[\w$]*|\$\$[A-Za-z]*CGLIB\$\$[\w$]*|\$\$SpringCGLIB\$\$\d+/g,
    '$$$$<auto>',
  ],
  [/_\$\$_(?:javassist|jvst)\w*/g, '_$$$$_<auto>'],
  [/\$HibernateProxy\$\w+/g, '$$HibernateProxy$$<auto>'],
  [/((?:sun|jdk\.internal)\.reflect\.Generated(?:Serialization)?(?:Method|Constructor)Accessor)\d+/g, '$1'],
  [/\$\$Lambda(?:\$\d+)?(?:\/0x[0-9a-f]+|\/\d+)?/gi, '$$$$Lambda'],
  [/\$fn__\d+/g, '$$fn'],
  [/jdk\.proxy\d+\.|com\.sun\.proxy\./g, 'proxy.'],
  [/\$Proxy\d+/g, '$$Proxy'],
  // Anonymous classes are numbered in the order of the source file.
  [/\$\d+/g, '$$'],
  [/@v\d[\w.+-]*/g, ''],
  [/\/v\d+(?=\/|\.|$)/g, ''],
  [/-\d+(?:\.\d+)+/g, ''],
  [/(^|[./])[0-9a-f]{16,}(?=[./]|$)/g, '$1<hash>'],
]

export const stableModule = remembered((module) => {
  if (!/[\d$]/.test(module)) return module.trim()
  let name = module.trim()
  for (const [pattern, replacement] of RULES) name = name.replace(pattern, replacement)
  return name
})
