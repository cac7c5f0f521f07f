/** What people call the methods of the default table. Other methods have the shop's or the carrier's own names. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { "standard ground": "Standard (ground)", "express air": "Express (air)", "freight ltl": "Freight (by truck)" },
  de: { "standard ground": "Standardversand", "express air": "Expressversand", "freight ltl": "Spedition" },
  es: { "standard ground": "Envío estándar", "express air": "Envío urgente", "freight ltl": "Transporte de carga" },
};

/** Returns the name of a shipping method in a language. */
export function nameMethod(
  { provider, serviceType }: { provider: string; serviceType: string },
  language = "en",
): string {
  const name = `${provider} ${serviceType}`;
  return NAMES[language]?.[name] ?? name;
}
