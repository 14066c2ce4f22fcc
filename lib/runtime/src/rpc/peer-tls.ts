import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { createSecureContext, type Server, type TlsOptions } from 'node:tls';
import type { Logger } from 'pino';
import { followFiles } from '../config/follow-files.ts';
import { ConfigError } from '../config/settings.ts';

/** What one side of a connection shows, and whom it trusts. PEM. */
export interface PeerCertificates {
  readonly ca: Buffer;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Certificates for connections between parts of the platform. Both sides of one show theirs. */
export interface PeerTls {
  readonly current: () => PeerCertificates;
  /** Tells of each change, until the function that it gives is called. */
  onChange(listener: () => void): () => void;
  close(): void;
}

interface Options {
  /** Folder with `tls.crt` (chain), `tls.key` and `ca.crt`, as cert-manager and `kubernetes.io/tls` name them. */
  readonly folder: string;
  readonly log: Logger;
  /** How often the files are looked at, in milliseconds. */
  readonly recheckMs?: number;
}

/**
 * Certificates from mounted files. When they change, connections from then on use the new ones; what cannot be used
 * leaves the last good ones in force. Throws `ConfigError` when they cannot be used at first.
 */
export async function createPeerTls({ folder, log, recheckMs = 10_000 }: Options): Promise<PeerTls> {
  const files = ['ca.crt', 'tls.crt', 'tls.key'].map((name) => join(folder, name));
  const latest = await followFiles({ files, load: toCertificates, log, recheckMs: 0 }).catch((error: Error) => {
    throw new ConfigError([`TLS_DIR has files that cannot be used: ${error.message}`]);
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
  const timer = setInterval(() => void refresh(), recheckMs).unref();

  return {
    current: () => current,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => clearInterval(timer),
  };
}

/** The certificates that `TLS_DIR` names; undefined when it names none, and connections are in the clear. */
export async function loadPeerTls(folder: string | undefined, log: Logger): Promise<PeerTls | undefined> {
  return folder === undefined ? undefined : createPeerTls({ folder, log });
}

/** Options of a server that demands a certificate of the CA from its clients. */
export function serverOptions(tls: PeerTls): TlsOptions {
  return { ...tls.current(), requestCert: true, rejectUnauthorized: true, handshakeTimeout: 10_000 };
}

/** Keeps a server at the latest certificates, until the function that it gives is called. */
export function useLatestCertificates(server: Pick<Server, 'setSecureContext'>, tls: PeerTls): () => void {
  return tls.onChange(() => server.setSecureContext(tls.current()));
}

/** Node would take a CA that is none, and refuse every connection then. */
function toCertificates(contents: readonly Buffer[]): PeerCertificates {
  const [ca = Buffer.of(), cert = Buffer.of(), key = Buffer.of()] = contents;
  if (!new X509Certificate(ca).ca) throw new Error('ca.crt holds no certificate of an authority');
  createSecureContext({ ca, cert, key });
  return { ca, cert, key };
}
