import { join } from 'node:path';

/**
 * Certificates for `localhost` of one authority (`first`, `second`) and of another one (`stranger`), and one of the first
 * authority for another name (`elsewhere`). They are valid until 2126, and good for nothing but tests.
 */
export type CertificateName = 'first' | 'second' | 'stranger' | 'elsewhere';

/** The folder that they are in, with the names that `TLS_DIR` wants. */
export function certificatesOf(name: CertificateName): string {
  return join(import.meta.dirname, 'tls', name);
}
