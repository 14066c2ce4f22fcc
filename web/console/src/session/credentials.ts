import type { User, UserManager } from 'oidc-client-ts';
import { clearOwnStorage } from './own-storage.ts';

/** Configuration of the console, from the gateway. */
export interface ConsoleConfig {
  readonly oidc: {
    readonly issuer: string;
    readonly client_id: string;
    readonly scope: string;
    readonly audience?: string;
  } | null;
  readonly sign_in_by_link: boolean;
}

const TOKEN_KEY = 'survey-console-token';
/** Set when the platform rejected the token, so that the reloaded page can say so. */
const REJECTED_KEY = 'survey-console-rejected';
const SIGNED_IN_PATH = '/console/signed-in';
const HOME = '/console/';

/** The credentials of the user. They are kept in the session storage of the tab, and nowhere else. */
export interface Credentials {
  /** Whether the user can sign in with an identity provider. */
  readonly hasProvider: boolean;
  isSignedIn(): boolean;
  /** The API key or token to send. Throws if no user is signed in. */
  token(): Promise<string>;
  /**
   * Returns the current token if it is not the rejected one. Otherwise, renews it. Returns undefined if that is not
   * possible, as for API keys.
   */
  renew(rejected: string): Promise<string | undefined>;
  signInWithToken(token: string): void;
  /** Leaves the page for the identity provider. */
  signInWithProvider(): Promise<void>;
  /** Whether the page was reloaded because the platform rejected the token. */
  readonly wasRejected: boolean;
  /** Removes the credentials, signs out at the identity provider if it supports this, and loads the start page. */
  signOut(): Promise<void>;
  /** Removes the credentials after the platform rejected the token, and reloads the page. */
  endRejectedSession(): void;
}

export async function loadConfig(): Promise<ConsoleConfig> {
  const reply = await fetch('/console/config.json');
  if (!reply.ok) throw new Error(`The gateway replied with status ${reply.status} to /console/config.json.`);
  return (await reply.json()) as ConsoleConfig;
}

/** Creates the credentials. Finishes the sign-in if this page is its redirect address. */
export async function createCredentials(config: ConsoleConfig): Promise<Credentials> {
  if (config.sign_in_by_link) readTokenOfLink();
  const manager = config.oidc === null ? undefined : await createManager(config.oidc);
  let user = manager === undefined ? undefined : await readUser(manager);
  let hasEnded = false;
  manager?.events.addUserLoaded((loaded) => {
    // A renewal that ends after the sign-out has stored the user again, so remove it.
    if (hasEnded) void manager.removeUser();
    else user = loaded;
  });

  /** The running renewal. Several requests of a page can get 401 at the same time, and share it. */
  let renewal: Promise<string | undefined> | undefined;

  const canRenew = () => user?.refresh_token !== undefined && !hasEnded;
  async function renewUser(): Promise<string | undefined> {
    const renewed = await manager?.signinSilent().catch(() => null);
    return hasEnded ? undefined : renewed?.access_token;
  }
  // The token may have expired while the tab was closed or asleep.
  if (user?.expired === true && canRenew()) user = (await manager?.signinSilent().catch(() => null)) ?? undefined;

  const isSignedIn = () => sessionStorage.getItem(TOKEN_KEY) !== null || user?.expired === false;
  const wasRejected = sessionStorage.getItem(REJECTED_KEY) !== null;
  sessionStorage.removeItem(REJECTED_KEY);
  // Removes the state of the sign-out, which remains when the provider sends the user back.
  if (!isSignedIn()) clearOwnStorage(sessionStorage);
  else if (canRenew()) manager?.startSilentRenew();

  function forget(): void {
    hasEnded = true;
    manager?.stopSilentRenew();
    clearOwnStorage(sessionStorage);
    user = undefined;
    void manager?.removeUser();
  }

  /** Returns false if the provider cannot sign users out. */
  async function leaveToProvider(idToken: string | undefined): Promise<boolean> {
    if (manager === undefined || idToken === undefined) return false;
    if ((await manager.metadataService.getEndSessionEndpoint()) === undefined) return false;
    await manager.signoutRedirect({
      id_token_hint: idToken,
      post_logout_redirect_uri: `${location.origin}${HOME}`,
      redirectMethod: 'replace',
    });
    return true;
  }

  return {
    hasProvider: manager !== undefined,
    isSignedIn,
    async token() {
      const token = sessionStorage.getItem(TOKEN_KEY) ?? user?.access_token;
      if (token === undefined) throw new Error('Nobody is signed in.');
      return token;
    },
    async renew(rejected) {
      if (sessionStorage.getItem(TOKEN_KEY) !== null) return undefined;
      const current = user?.access_token;
      if (current !== undefined && current !== rejected) return current;
      if (!canRenew()) return undefined;
      renewal ??= renewUser().finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
    signInWithToken: (token) => sessionStorage.setItem(TOKEN_KEY, token.trim()),
    signInWithProvider: async () => manager?.signinRedirect(),
    wasRejected,
    // Load a new page, because it keeps nothing of this user: no data, no address, and no request that could be sent
    // with the token of the next user.
    async signOut() {
      const idToken = user?.id_token;
      forget();
      const hasLeft = await leaveToProvider(idToken).catch(() => false);
      if (!hasLeft) location.replace(HOME);
    },
    endRejectedSession() {
      forget();
      sessionStorage.setItem(REJECTED_KEY, 'true');
      location.reload();
    },
  };
}

/**
 * Takes the token from an address such as `/console/#token=…`, and removes it from the address and the history. The
 * rest of the fragment stays.
 */
function readTokenOfLink(): void {
  const [, token, rest = ''] = /^#token=([^&]*)&?(.*)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  sessionStorage.setItem(TOKEN_KEY, decodeURIComponent(token));
  history.replaceState(null, '', location.pathname + location.search + (rest === '' ? '' : `#${rest}`));
}

async function createManager(oidc: NonNullable<ConsoleConfig['oidc']>): Promise<UserManager> {
  const { UserManager, WebStorageStateStore } = await import('oidc-client-ts');
  return new UserManager({
    authority: oidc.issuer,
    client_id: oidc.client_id,
    redirect_uri: `${location.origin}${SIGNED_IN_PATH}`,
    scope: oidc.scope,
    response_type: 'code',
    // The console starts the silent renewal for users with a refresh token. Without one, the library would need a
    // frame, which the content security policy forbids.
    automaticSilentRenew: false,
    requestTimeoutInSeconds: 10,
    loadUserInfo: false,
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    ...(oidc.audience === undefined ? {} : { extraQueryParams: { audience: oidc.audience } }),
  });
}

async function readUser(manager: UserManager): Promise<User | undefined> {
  if (location.pathname !== SIGNED_IN_PATH) return (await manager.getUser()) ?? undefined;
  try {
    return await manager.signinCallback();
  } finally {
    history.replaceState(null, '', HOME);
  }
}
