import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { createSecureContext, type Server, type TlsOptions } from 'node:tls';
import type { Logger } from 'pino';
import { type FileObserver, followFiles } from '../config/follow-files.ts';
import { ConfigError } from '../config/settings.ts';
import { expiriesOf } from '../crypto/parse-certificates.ts';
import { startInterval } from '../flow/interval.ts';
import type { ObserverOf } from '../telemetry/secret-metrics.ts';

/** The certificate and key of one side, and the CA that it trusts. PEM. */
export interface PeerCertificates {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Mutual TLS between processes of the platform. */
export interface PeerTls {
  readonly current: () => PeerCertificates;
  /** Calls the listener after each change. The returned function unsubscribes. */
  onChange(listener: () => void): () => void;
  close(): void;
}

interface Options {
  /** Folder with `tls.crt` (chain), `tls.key` and `ca.crt`, as in cert-manager and `kubernetes.io/tls`. */
  readonly folder: string;
  readonly log: Logger;
  readonly observer?: FileObserver | undefined;
  /** Interval between checks of the files, in milliseconds. */
  readonly recheckMs?: number;
}

/**
 * Loads certificates from mounted files. After a change, new connections use the new certificates, or the last good
 * ones if the new files are unusable. Throws `ConfigError` if the first load fails.
 */
export async function createPeerTls({ folder, log, observer, recheckMs = 10_000 }: Options): Promise<PeerTls> {
  const files = ['ca.crt', 'tls.crt', 'tls.key'].map((name) => join(folder, name));
  const load = (contents: readonly Buffer[]) => {
    const certificates = toCertificates(contents);
    observer?.setExpiries({
      ...expiriesOf('tls.crt', certificates.cert.toString()),
      ...expiriesOf('ca.crt', certificates.ca.toString()),
    });
    return certificates;
  };
  const latest = await followFiles({ files, load, log, observer, recheckMs: 0 }).catch((error: Error) => {
    throw new ConfigError([{ text: `TLS_DIR has unusable files: ${error.message}`, variables: ['TLS_DIR'] }]);
  });
  let current = await latest();
  const listeners = new Set<() => void>();

  async function refresh(): Promise<void> {
    const before = current;
    current = await latest();
    if (current === before) return;
    log.info('new certificates are in use');
    for (const listener of listeners) listener();
  }
  const refreshes = startInterval({ everyMs: recheckMs, call: refresh });

  return {
    current: () => current,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: refreshes.stop,
  };
}

/** Loads the certificates of `TLS_DIR`. Undefined if `TLS_DIR` is not set: connections use plain text. */
export async function loadPeerTls(
  folder: string | undefined,
  log: Logger,
  observerOf?: ObserverOf,
): Promise<PeerTls | undefined> {
  return folder === undefined ? undefined : createPeerTls({ folder, log, observer: observerOf?.('tls') });
}

/** Options of a server that requires client certificates of the CA. */
export function serverOptions(tls: PeerTls): TlsOptions {
  return { ...tls.current(), requestCert: true, rejectUnauthorized: true, handshakeTimeout: 10_000 };
}

/** Applies new certificates to a server until the returned function is called. */
export function useLatestCertificates(server: Pick<Server, 'setSecureContext'>, tls: PeerTls): () => void {
  return tls.onChange(() => server.setSecureContext(tls.current()));
}

/** Checks the files, because Node would accept an invalid CA and then reject every connection. */
function toCertificates(contents: readonly Buffer[]): PeerCertificates {
  const [ca = Buffer.of(), cert = Buffer.of(), key = Buffer.of()] = contents;
  if (!new X509Certificate(ca).ca) throw new Error('ca.crt contains no CA certificate');
  createSecureContext({ ca, cert, key });
  return { ca, cert, key };
}
