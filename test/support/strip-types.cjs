const { createHash } = require("node:crypto");
const { stripTypeScriptTypes } = require("node:module");

module.exports = {
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: "strip" }) }),
  getCacheKey: (source, path) => createHash("sha256").update(process.version).update(path).update(source).digest("hex"),
};
