/** Oxlint's plugin of the house: https://oxc.rs/docs/guide/usage/linter/js-plugins. */
const PRIVATE_MEMBERS = "/^(registry|transit|localBus|started|_.*)$/";
const SELECTORS = [
  `MemberExpression[object.name='broker'][property.name=${PRIVATE_MEMBERS}]`,
  `MemberExpression[object.property.name=/^#?broker$/][property.name=${PRIVATE_MEMBERS}]`,
  "TSAsExpression > TSAsExpression > Identifier[name='broker']",
  "TSAsExpression > TSAsExpression > Identifier[name='ctx']",
];

export default {
  meta: { name: "house" },
  rules: {
    "documented-moleculer": {
      create: (context) => {
        const report = (node) =>
          context.report({
            node,
            message: "What Moleculer does not document is used through packages/moleculer-kit/src/internals.ts alone.",
          });
        return Object.fromEntries(SELECTORS.map((selector) => [selector, report]));
      },
    },
  },
};
