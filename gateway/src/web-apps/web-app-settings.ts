import { flag, list, optionalText, optionalUrl, text } from '@survey/runtime/config/kinds';
import type { Setting } from '@survey/runtime/config/settings';
import { isOrigin } from '../http/cors.ts';

export const webAppSettings = {
  consoleEnabled: flag({
    env: 'CONSOLE_ENABLED',
    fallback: 'true',
    help: 'Whether the gateway serves the web console under /console.',
  }),
  consoleOidcIssuer: optionalUrl({
    env: 'CONSOLE_OIDC_ISSUER',
    help: 'OpenID Connect issuer for signing in to the console with PKCE. Without it, users paste an API key. The gateway must trust its tokens.',
  }),
  consoleOidcClientId: optionalText({
    env: 'CONSOLE_OIDC_CLIENT_ID',
    help: 'Public client of the issuer, whose redirect URI is <origin>/console/signed-in.',
  }),
  consoleOidcScope: text({
    env: 'CONSOLE_OIDC_SCOPE',
    fallback: 'openid',
    help: 'Scopes that the console requests, separated by spaces. With offline_access, providers issue the refresh token that renews sessions.',
  }),
  consoleOidcAudience: optionalText({
    env: 'CONSOLE_OIDC_AUDIENCE',
    help: 'Value of the parameter audience that the console sends to the issuer, if it needs one to issue tokens for this API.',
  }),
  consoleOidcOrigins: providerOrigins(),
  consoleSignInByLink: flag({
    env: 'CONSOLE_SIGN_IN_BY_LINK',
    fallback: 'false',
    help: 'Whether /console/#token=… signs in. Only for local stacks: a link could sign a user in to the tenant of somebody else.',
  }),
  respondEnabled: flag({
    env: 'RESPOND_ENABLED',
    fallback: 'true',
    help: 'Whether the gateway serves the page for respondents under /s.',
  }),
};

function providerOrigins(): Setting<readonly string[]> {
  const setting = list({
    env: 'CONSOLE_OIDC_ORIGINS',
    fallback: '',
    help: 'Comma-separated origins, besides that of the issuer, whose endpoints the console calls, such as https://oauth2.googleapis.com. Needed if the token endpoint has another origin.',
  });
  return {
    ...setting,
    parse: (raw) => {
      const origins = setting.parse(raw);
      if (!origins.every(isOrigin)) throw new Error('must list origins, such as https://oauth2.googleapis.com');
      return origins;
    },
  };
}
