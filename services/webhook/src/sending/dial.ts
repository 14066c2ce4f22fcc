import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { IsAllowedAddress } from '../targets/address-rules.ts';
import type { Target } from '../targets/target.ts';
import { AttemptError, toConnectError } from './attempt-error.ts';

/**
 * Connects to the first of the target's checked addresses that accepts. The name is not looked up again, which prevents
 * DNS rebinding. The remote address of the socket is checked too. The signal aborts only the connection attempt.
 * Rejects with an `AttemptError`.
 */
export function dial(target: Target, isAllowed: IsAllowedAddress, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const isTls = target.url.protocol === 'https:';
  const options = { host: target.host, port: target.port, lookup: lookupIn(target), autoSelectFamily: true };
  const socket = isTls
    ? connectTls({ ...options, servername: isIP(target.host) === 0 ? target.host : '', ALPNProtocols: ['http/1.1'] })
    : connect(options);
  let isConnected = false;

  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort);
  const connected = () => {
    signal.removeEventListener('abort', abort);
    socket.off('close', closed);
    resolve(socket);
  };
  socket.setNoDelay(true);
  socket.once('connect', () => {
    isConnected = true;
    if (!isAllowed(socket.remoteAddress ?? '')) socket.destroy(new AttemptError('address_refused'));
    else if (!isTls) connected();
  });
  socket.once('secureConnect', connected);
  // This listener stays. After the promise is settled, it does nothing, and the HTTP client handles errors.
  socket.on('error', (error) => {
    if (error instanceof AttemptError) reject(error);
    else reject(isConnected ? new AttemptError('tls_failed', error) : toConnectError(error));
  });
  const closed = () => {
    signal.removeEventListener('abort', abort);
    reject(new AttemptError('connection_lost'));
  };
  socket.once('close', closed);
  return promise;
}

/** A DNS lookup that returns only the checked addresses. */
function lookupIn({ addresses }: Target): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  // `autoSelectFamily` requests all addresses.
  return (_host, _options, callback) => callback(null, found);
}
