import { flag, optionalText, optionalUrl, text } from '@survey/runtime/config/kinds';

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
    help: 'Scopes that the console requests, separated by spaces.',
  }),
  consoleOidcAudience: optionalText({
    env: 'CONSOLE_OIDC_AUDIENCE',
    help: 'Value of the parameter audience that the console sends to the issuer, if it needs one to issue tokens for this API.',
  }),
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
