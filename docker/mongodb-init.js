// Run by mongosh at the first member's own address, where MongoDB allows the first user to be created. Can be repeated.
const { readFileSync } = require("node:fs");
const secret = (name) => readFileSync(`/run/secrets/${name}`, "utf8").trim();
const members = ["mongodb-1", "mongodb-2", "mongodb-3"];
const admin = connect("mongodb://127.0.0.1:27017/admin?directConnection=true");
const signIn = () => admin.auth("root", secret("mongodb-root-password"));
const isSignedIn = (() => {
  try {
    return signIn().ok === 1;
  } catch {
    return false;
  }
})();

if (!isSignedIn && !admin.hello().setName) {
  admin.adminCommand({
    replSetInitiate: { _id: "partline", members: members.map((host, _id) => ({ _id, host: `${host}:27017` })) },
  });
}
while (!admin.hello().isWritablePrimary) {
  // At a later start, another member may be the primary; the users then exist already.
  if (isSignedIn) quit(0);
  sleep(200);
}
if (!isSignedIn) {
  admin.createUser({ user: "root", pwd: secret("mongodb-root-password"), roles: ["root"] });
  signIn();
}
const partline = admin.getSiblingDB("partline");
if (!partline.getUser("partline")) {
  partline.createUser({
    user: "partline",
    pwd: secret("mongodb-password"),
    roles: [{ role: "readWrite", db: "partline" }],
  });
}
