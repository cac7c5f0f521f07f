import { html, type Html } from "../server/html.ts";
import { plainPage } from "../server/plain-page.ts";
import { primaryEmail, roleOf, type ClerkUser } from "./users.ts";

/** The page at `/`: the users, with a token each to copy. */
export function indexPage(users: { user: ClerkUser; token: string }[], url: string): Html {
  const entry = ({ user, token }: (typeof users)[number]): Html =>
    html`<h2>${primaryEmail(user) ?? user.id} (${roleOf(user)})</h2>
<label><code>${user.id}</code><textarea rows="5" readonly>${token}</textarea></label>
`;
  return plainPage(
    "Identity sandbox",
    html`<p>A stand-in for an identity provider. Its tokens open this machine's shop and nothing else. Keys:
<a href="/.well-known/jwks.json">JWKS</a>. Each token below is good for twelve hours; send it as
<code>Authorization: Bearer …</code>.</p>
${users.map(entry)}
<h2>More</h2>
<p>Add a user: <code>curl -X POST ${url}/v1/users -d '{"email_address":["ada@shop.example"],"first_name":"Ada"}'</code></p>
<p>Get a token: <code>curl -X POST ${url}/v1/tokens -d '{"user":"customer","expiresInSeconds":600}'</code></p>
<p>New signing key: <code>curl -X POST ${url}/v1/keys/rotate</code>, then <code>curl -X POST ${url}/v1/keys/retire</code></p>`,
  );
}
