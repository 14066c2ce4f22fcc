import { type ChannelCredentials, credentials, experimental } from '@grpc/grpc-js';
import type { PeerTls } from './peer-tls.ts';

/** Credentials of a channel, whose new connections use the latest certificates. */
export function channelCredentials(tls: PeerTls | undefined): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure();
  const provider = toProvider(tls);
  return experimental.createCertificateProviderChannelCredentials(provider, provider);
}

function toProvider(tls: PeerTls): experimental.CertificateProvider {
  const followers = new Map<unknown, () => void>();
  function follow(listener: unknown, notify: () => void): void {
    followers.set(listener, tls.onChange(notify));
    process.nextTick(notify);
  }
  function unfollow(listener: unknown): void {
    followers.get(listener)?.();
    followers.delete(listener);
  }
  return {
    addCaCertificateListener: (listener) => follow(listener, () => listener({ caCertificate: tls.current().ca })),
    addIdentityCertificateListener: (listener) =>
      follow(listener, () => {
        const { cert, key } = tls.current();
        listener({ certificate: cert, privateKey: key });
      }),
    removeCaCertificateListener: unfollow,
    removeIdentityCertificateListener: unfollow,
  };
}
