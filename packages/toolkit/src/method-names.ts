import { nameCarrier } from "./carriers.ts";

/** What people call the methods of the default table. Other methods have the shop's or the carrier's own names. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { "standard ground": "Standard (ground)", "express air": "Express (air)", "freight ltl": "Freight (by truck)" },
  de: { "standard ground": "Standardversand", "express air": "Expressversand", "freight ltl": "Spedition" },
  es: { "standard ground": "Envío estándar", "express air": "Envío urgente", "freight ltl": "Transporte de carga" },
};

/** Returns the name of a shipping method in a language: of EasyPost's `UPSDAP 2ndDayAir`, `UPS 2nd Day Air`. */
export function nameMethod(
  { provider, serviceType }: { provider: string; serviceType: string },
  language = "en",
): string {
  const name = NAMES[language]?.[`${provider} ${serviceType}`];
  if (name !== undefined) return name;
  const shouted = serviceType
    .toLowerCase()
    .replaceAll(/(?:^|_)(.)/g, (_, letter: string) => ` ${letter.toUpperCase()}`);
  const service = /^[A-Z]+(?:_[A-Z0-9]+)+$/.test(serviceType) ? shouted.trim() : serviceType;
  // `FedEx Freight` has a service that begins with the same word.
  return `${nameCarrier(provider)} ${service.replaceAll(/([a-z])([A-Z])/g, "$1 $2")}`.replace(/\b(\w+) \1\b/, "$1");
}
