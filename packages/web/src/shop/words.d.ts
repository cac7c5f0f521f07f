/** What people call a part, by its English name in lower case; the build takes it from parts-language. */
declare module "words:part-nouns" {
  const nouns: Readonly<Record<"de" | "es", Readonly<Record<string, string>>>>;
  export default nouns;
}

/** Words that say the kind of a part; the build takes them from parts-language. */
declare module "words:part-kinds" {
  const groups: Readonly<Record<string, string>>;
  export default groups;
}
