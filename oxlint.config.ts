import { defineConfig } from "oxlint";

/**
 * typescript-eslint's `strict-type-checked`, without the eight rules that
 * docs/decisions/0045-the-rules-of-typescript-eslint-by-oxlint.md leaves out, each with its reason, and without
 * no-unsafe-class-instance-assignment, which oxlint has not.
 */
const BY_SYNTAX = [
  "typescript/ban-ts-comment",
  "typescript/no-array-constructor",
  "typescript/no-duplicate-enum-values",
  "typescript/no-empty-object-type",
  "typescript/no-explicit-any",
  "typescript/no-extra-non-null-assertion",
  "typescript/no-extraneous-class",
  "typescript/no-misused-new",
  "typescript/no-namespace",
  "typescript/no-non-null-asserted-nullish-coalescing",
  "typescript/no-non-null-asserted-optional-chain",
  "typescript/no-require-imports",
  "typescript/no-this-alias",
  "typescript/no-unnecessary-type-constraint",
  "typescript/no-unsafe-declaration-merging",
  "typescript/no-unsafe-function-type",
  "typescript/no-unused-expressions",
  "typescript/no-unused-vars",
  "typescript/no-useless-constructor",
  "typescript/no-wrapper-object-types",
  "typescript/prefer-as-const",
  "typescript/prefer-literal-enum-member",
  "typescript/prefer-namespace-keyword",
  "typescript/triple-slash-reference",
  "typescript/unified-signatures",
] as const;
const BY_TYPES = [
  "typescript/await-thenable",
  "typescript/no-array-delete",
  "typescript/no-base-to-string",
  "typescript/no-confusing-void-expression",
  "typescript/no-deprecated",
  "typescript/no-duplicate-type-constituents",
  "typescript/no-floating-promises",
  "typescript/no-for-in-array",
  "typescript/no-generated-empty-object-type",
  "typescript/no-implied-eval",
  "typescript/no-meaningless-void-operator",
  "typescript/no-misused-promises",
  "typescript/no-mixed-enums",
  "typescript/no-redundant-type-constituents",
  "typescript/no-unnecessary-boolean-literal-compare",
  "typescript/no-unnecessary-template-expression",
  "typescript/no-unnecessary-type-arguments",
  "typescript/no-unnecessary-type-conversion",
  "typescript/no-unnecessary-type-parameters",
  "typescript/no-unsafe-argument",
  "typescript/no-unsafe-assignment",
  "typescript/no-unsafe-call",
  "typescript/no-unsafe-enum-assignment",
  "typescript/no-unsafe-enum-comparison",
  "typescript/no-unsafe-member-access",
  "typescript/no-unsafe-return",
  "typescript/no-unsafe-unary-minus",
  "typescript/no-useless-default-assignment",
  "typescript/only-throw-error",
  "typescript/prefer-promise-reject-errors",
  "typescript/prefer-reduce-type-parameter",
  "typescript/prefer-return-this-type",
  "typescript/related-getter-setter-pairs",
  "typescript/restrict-plus-operands",
  "typescript/restrict-template-expressions",
  "typescript/return-await",
  "typescript/use-unknown-in-catch-callback-variable",
  "typescript/switch-exhaustiveness-check",
] as const;

const off = (...rules: string[]) => Object.fromEntries(rules.map((rule) => [rule, "off" as const]));

export default defineConfig({
  options: { typeAware: true, reportUnusedDisableDirectives: "error" },
  plugins: ["eslint", "typescript"],
  jsPlugins: ["./test/support/documented-moleculer.mjs"],
  categories: { correctness: "off" },
  ignorePatterns: ["data/", "coverage/", "packages/client/dist/", "packages/web/.built/"],
  rules: {
    ...Object.fromEntries([...BY_SYNTAX, ...BY_TYPES].map((rule) => [rule, "error" as const])),
    "typescript/consistent-type-imports": "error",
    "typescript/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    "typescript/no-misused-promises": ["error", { checksVoidReturn: false }],
    "typescript/no-unused-vars": [
      "error",
      { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
    ],
    "typescript/restrict-plus-operands": [
      "error",
      { allowAny: false, allowBoolean: false, allowNullish: false, allowNumberAndString: false, allowRegExp: false },
    ],
    "typescript/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
    "typescript/return-await": ["error", "error-handling-correctness-only"],
    eqeqeq: ["error", "always", { null: "ignore" }],
    "no-console": "error",
    "no-empty": ["error", { allowEmptyCatch: false }],
    "no-restricted-imports": [
      "error",
      {
        paths: ["node:fs", "fs"].map((name) => ({
          name,
          importNames: ["createReadStream", "createWriteStream"],
          message:
            "Such a stream fails before anybody listens, which ends the process: use packages/toolkit/src/local-files.ts.",
        })),
      },
    ],
    "no-var": "error",
    "prefer-const": "error",
    "prefer-rest-params": "error",
    "prefer-spread": "error",
  },
  overrides: [
    { files: ["packages/toolkit/src/local-files.ts", "packages/bench/src/**"], rules: off("no-restricted-imports") },
    {
      files: [
        "bin/**/*.ts",
        "broker/**/*.ts",
        "gateway/**/*.ts",
        "packages/moleculer-kit/src/**/*.ts",
        "services/**/*.ts",
      ],
      rules: { "house/documented-moleculer": "error" },
    },
    { files: ["packages/moleculer-kit/src/internals.ts"], rules: off("house/documented-moleculer") },
    {
      files: ["packages/bench/src/**", "packages/*/test/**", "test/**", "bin/**", "**/*.cjs", "**/*.mjs", "**/*.js"],
      rules: off("no-console"),
    },
    // pdf.js says on the console alone that it leaves something out; the process that reads has one of its own.
    { files: ["packages/manual-reader/src/pdf/warnings.ts"], rules: off("no-console") },
    {
      // A test reads answers as they come: what it expects of them is the check of their type.
      files: ["packages/bench/src/**/*.ts", "packages/*/test/**/*.ts", "test/**/*.ts"],
      rules: off(
        ...["assignment", "member-access", "return", "argument", "call"].map((what) => `typescript/no-unsafe-${what}`),
        "typescript/no-base-to-string",
        "typescript/no-meaningless-void-operator",
        "typescript/no-unnecessary-type-parameters",
        "typescript/no-confusing-void-expression",
        "typescript/only-throw-error",
        "typescript/prefer-promise-reject-errors",
        "typescript/restrict-plus-operands",
        "typescript/use-unknown-in-catch-callback-variable",
      ),
    },
    { files: ["**/*.cjs", "**/*.mjs", "**/*.js"], rules: off("typescript/no-require-imports", ...BY_TYPES) },
  ],
});
