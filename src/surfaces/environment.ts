// Values of a surface's configuration that come from the environment, so that secrets need not be in files.

/**
 * Add to a configuration what it does not set and the environment has.
 *
 * @param given the configuration as it was given. What is no object stays as it is, for the schema to refuse.
 * @param variables the environment variables by field.
 * @param together fields that must not be mixed: where the configuration sets one of them, the environment adds none.
 */
export function withEnvironment(given: unknown, variables: Readonly<Record<string, string>>, together: readonly string[] = []): unknown {
  const config = given ?? {}
  if (typeof config !== 'object' || Array.isArray(config)) return config
  const has = (field: string) => (config as Record<string, unknown>)[field] !== undefined
  const taken = together.some(has) ? together : []
  const entries = Object.entries(variables).map(([field, variable]) => [field, process.env[variable]] as const)
  const found = entries.filter(([field, value]) => value && !has(field) && !taken.includes(field))
  return { ...config, ...Object.fromEntries(found) }
}
