import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

interface Options {
  readonly clientId: string;
  readonly audience: string;
  /** The user who signs in, without being asked. */
  readonly tenantId: string;
  readonly userId: string;
}

/**
 * An OpenID Connect provider for public clients: the authorization code flow with PKCE and refresh tokens, for one user.
 * Its token endpoint has another origin than its issuer.
 */
export async function startOidcProvider({ clientId, audience, tenantId, userId }: Options) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'provider', alg: 'ES256' }] };
  /** Parameters of the authorization, by code. Each code works once. */
  const codes = new Map<string, URLSearchParams>();
  const signOuts: string[] = [];
  /** The current refresh token. Each works once. */
  let refreshToken = '';
  let renewals = 0;
  let url = '';
  let tokenOrigin = '';

  function sign(claims: JWTPayload, recipient: string): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'provider', typ: 'JWT' })
      .setIssuer(url)
      .setAudience(recipient)
      .setSubject(userId)
      .setIssuedAt()
      .setExpirationTime('10m')
      .setJti(randomUUID())
      .sign(privateKey);
  }

  async function exchange(form: URLSearchParams) {
    if (form.get('grant_type') === 'refresh_token') {
      if (form.get('refresh_token') !== refreshToken) return undefined;
      renewals += 1;
      return toTokens({});
    }
    const code = form.get('code') ?? '';
    const asked = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (asked?.get('code_challenge') !== challenge || asked.get('redirect_uri') !== form.get('redirect_uri'))
      return undefined;
    const nonce = asked.get('nonce');
    return toTokens(nonce === null ? {} : { nonce });
  }

  async function toTokens(idClaims: JWTPayload) {
    refreshToken = randomUUID();
    return {
      access_token: await sign({ tenant_id: tenantId }, audience),
      id_token: await sign(idClaims, clientId),
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: 600,
    };
  }

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    const sendJson = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
      response.end(JSON.stringify(value));
    };
    const redirect = (target: string, parameters: Readonly<Record<string, string>>) => {
      const location = new URL(target);
      for (const [name, value] of Object.entries(parameters)) location.searchParams.set(name, value);
      response.writeHead(302, { location: location.href }).end();
    };
    if (pathname === '/.well-known/openid-configuration') {
      return sendJson({
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${tokenOrigin}/token`,
        end_session_endpoint: `${url}/sign-out`,
        jwks_uri: `${url}/jwks.json`,
      });
    }
    if (pathname === '/authorize') {
      const isValid =
        searchParams.get('client_id') === clientId &&
        searchParams.get('response_type') === 'code' &&
        searchParams.get('code_challenge_method') === 'S256';
      if (!isValid) return sendJson({ error: 'invalid_request' }, 400);
      const code = randomUUID();
      codes.set(code, searchParams);
      return redirect(searchParams.get('redirect_uri') ?? '', { code, state: searchParams.get('state') ?? '' });
    }
    if (pathname === '/token') {
      const tokens = await exchange(new URLSearchParams(await text(request)));
      return tokens === undefined ? sendJson({ error: 'invalid_grant' }, 400) : sendJson(tokens);
    }
    if (pathname === '/sign-out') {
      const target = searchParams.get('post_logout_redirect_uri') ?? '';
      signOuts.push(target);
      return redirect(target, {});
    }
    return sendJson({ error: 'not_found' }, 404);
  }

  const server = createServer((request, response) => void reply(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A listening TCP server has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  tokenOrigin = `http://localhost:${port}`;
  return {
    url,
    tokenOrigin,
    jwks,
    /** Addresses to which users returned after signing out. */
    signOuts: signOuts as readonly string[],
    /** Number of renewals so far. */
    renewals: () => renewals,
    /** Rejects the next renewal. */
    revoke() {
      refreshToken = '';
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
