import { reloadable } from '../config/followed-secret.ts';
import { type Keyring, parseKeyring } from './keyring.ts';

/** Setting of services that encrypt data of tenants. */
export const encryptionKeyring = reloadable<Keyring>({
  env: 'ENCRYPTION_KEYRING',
  secret: true,
  help: 'Keys that wrap the data keys of tenants: {"active":"<id>","keys":{"<id>":"<32 bytes in base64>"}}, and optionally "rotate_by":"<date>" for an alert. The file is reloaded when it changes. To rotate, first add the new key everywhere, then make it active.',
  parse: parseKeyring,
});
