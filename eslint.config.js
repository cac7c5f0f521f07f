import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules/", "data/", "coverage/", "clients/typescript/dist/", "web/.built/"] },
  ...tseslint.configs.strictTypeChecked,
  {
    files: ["**/*.ts", "**/*.tsx", "**/*.mts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: false }],
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // noUncheckedIndexedAccess makes every index possibly undefined: `!` says where an index is known to exist.
      "@typescript-eslint/no-non-null-assertion": "off",
      // An async function without await turns what it throws into a rejection, as its interface promises.
      "@typescript-eslint/require-await": "off",
      // Ports are records of functions that need no `this`, written in TypeScript's method form.
      "@typescript-eslint/unbound-method": "off",
      // It does not see what changes while a function waits, nor that data from outside may differ from its type.
      "@typescript-eslint/no-unnecessary-condition": "off",
      // It refuses Promise.withResolvers<void>().
      "@typescript-eslint/no-invalid-void-type": "off",
      // Its check of spread texts refuses them though code points are what is meant.
      "@typescript-eslint/no-misused-spread": "off",
      // It takes away assertions that the compiler then misses.
      "@typescript-eslint/no-unnecessary-type-assertion": "off",
      // Documents are records whose keys come and go.
      "@typescript-eslint/no-dynamic-delete": "off",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "no-empty": ["error", { allowEmptyCatch: false }],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-console": "error",
      "no-restricted-imports": [
        "error",
        {
          paths: ["node:fs", "fs"].map((name) => ({
            name,
            importNames: ["createReadStream", "createWriteStream"],
            message: "Such a stream fails before anybody listens, which ends the process: use mixins/local-files.ts.",
          })),
        },
      ],
    },
  },
  { files: ["mixins/local-files.ts", "bench/**"], rules: { "no-restricted-imports": "off" } },
  {
    files: ["bin/**/*.ts", "broker/**/*.ts", "gateway/**/*.ts", "services/**/*.ts"],
    ignores: ["broker/moleculer/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...[
          "MemberExpression[object.name='broker'][property.name=/^(registry|transit|localBus|started|_.*)$/]",
          "MemberExpression[object.property.name=/^#?broker$/][property.name=/^(registry|transit|localBus|started|_.*)$/]",
          "TSAsExpression > TSAsExpression > Identifier[name='broker']",
          "TSAsExpression > TSAsExpression > Identifier[name='ctx']",
        ].map((selector) => ({
          selector,
          message: "What Moleculer does not document is used through broker/moleculer/internals.ts alone.",
        })),
      ],
    },
  },
  { files: ["bench/**", "test/**", "bin/**"], rules: { "no-console": "off" } },
  {
    // A test reads answers as they come: what it expects of them is the check of their type.
    files: ["bench/**/*.ts", "test/**/*.ts"],
    rules: Object.fromEntries(
      [
        ...["assignment", "member-access", "return", "argument", "call"].map((what) => `no-unsafe-${what}`),
        "no-unsafe-class-instance-assignment",
        "no-base-to-string",
        "no-meaningless-void-operator",
        "no-unnecessary-type-parameters",
        "no-confusing-void-expression",
        "only-throw-error",
        "prefer-promise-reject-errors",
        "restrict-plus-operands",
        "use-unknown-in-catch-callback-variable",
      ].map((rule) => [`@typescript-eslint/${rule}`, "off"]),
    ),
  },
  {
    files: ["**/*.cjs", "**/*.mjs", "**/*.js"],
    ...tseslint.configs.disableTypeChecked,
    rules: {
      ...tseslint.configs.disableTypeChecked.rules,
      "@typescript-eslint/no-require-imports": "off",
      "@typescript-eslint/no-dynamic-delete": "off",
    },
  },
);
