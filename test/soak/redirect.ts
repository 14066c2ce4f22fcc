// Preloaded into each process of the soak. MongoDB and Kafka advertise their own addresses, so clients would bypass the
// proxies. This redirects their connections to the proxies.
import { Socket } from 'node:net';

/** Requested port → port of the proxy, both on this machine. */
const redirects: Readonly<Record<string, number>> = JSON.parse(process.env['SOAK_REDIRECTS'] ?? '{}');
// Forwards any arguments.
const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket;

function redirect(options: unknown): unknown {
  if (typeof options !== 'object' || options === null || !('port' in options)) return options;
  const port = redirects[String(options.port)];
  return port === undefined ? options : { ...options, port };
}

Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const [first] = args;
  // `net.connect` passes its arguments in a marked array.
  if (Array.isArray(first)) first[0] = redirect(first[0]);
  else args[0] = redirect(first);
  return connect.apply(this, args);
};
